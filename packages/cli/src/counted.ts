/** Returns a number with its noun, such as `1 day` or `2 days`. */
export function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}
