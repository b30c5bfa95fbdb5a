/** Returns a field of an unknown value, or `undefined` if the value has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Reflect.get(value, name);
}
