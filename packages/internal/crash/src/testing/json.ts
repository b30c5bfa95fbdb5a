/** Returns the member of a JSON value at `path`, or `undefined`. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((stored, step) => {
    const members: readonly (readonly [string, unknown])[] = Object.entries(stored ?? {});
    return members.find(([name]) => name === String(step))?.[1];
  }, value);
}

/** Returns the text at `path`. Throws if there is none, so that the test fails. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const text = at(value, ...path);
  if (typeof text !== "string") throw new Error(`No text at ${path.join(".")}: ${JSON.stringify(value)}`);
  return text;
}

/** Returns the items of the list at `path`, or an empty list. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const list: unknown = at(value, ...path);
  return Array.isArray(list) ? list : [];
}
