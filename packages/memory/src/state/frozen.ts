/** Returns a deeply frozen copy of plain data. Later changes to `value` do not affect the copy. */
export function frozen<T>(value: T): T {
  const copy = structuredClone(value);
  freeze(copy);
  return copy;
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}
