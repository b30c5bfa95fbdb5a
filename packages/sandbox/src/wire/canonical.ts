/** Writes a JSON value as text with sorted members, so that equal values give equal texts. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(",")}}`;
}

/** Writes a JSON object without the members `names`, as {@link canonicalText} does. */
export function canonicalWithout(value: unknown, ...names: readonly string[]): string {
  const members = Object.entries(value ?? {}).filter(([member]) => !names.includes(member));
  return canonicalText(Object.fromEntries(members));
}
