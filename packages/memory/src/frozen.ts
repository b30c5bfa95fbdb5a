/** A deep copy of plain data that nobody can change: neither the caller who gave it nor one who is given it. */
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
