/** The member of a JSON value at `path`, or `undefined`. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((held, step) => {
    const members: readonly (readonly [string, unknown])[] = Object.entries(held ?? {});
    return members.find(([name]) => name === String(step))?.[1];
  }, value);
}

/** The text at `path`. Throws when there is none: then a test went wrong. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const text = at(value, ...path);
  if (typeof text !== "string") throw new Error(`No text at ${path.join(".")}: ${JSON.stringify(value)}`);
  return text;
}

/** The items of the list at `path`, none when there is no list. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const list: unknown = at(value, ...path);
  return Array.isArray(list) ? list : [];
}
