import { expect } from "vitest";

/** Parses JSON text. Returns `undefined` if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the member at `path` of a JSON value, or `undefined`. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Reflect.get(current, step);
  }
  return current;
}

/** Returns the text at `path`. Fails the test if there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== "string") throw new Error(`No text at ${path.join(".")} of ${JSON.stringify(value)}`);
  return found;
}

/** Returns the number at `path`. Fails the test if there is none. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number {
  const found = at(value, ...path);
  if (typeof found !== "number")
    throw new Error(`No number at ${path.join(".")} of ${JSON.stringify(value)}`);
  return found;
}

/** Returns the list at `path`. Fails the test if there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  if (!Array.isArray(found)) throw new Error(`No list at ${path.join(".")} of ${JSON.stringify(value)}`);
  return found;
}

/** Returns the sorted member names of an object. */
export function membersOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) throw new Error(`No object: ${JSON.stringify(value)}`);
  return Object.keys(value).sort();
}

/** Matches any text in an expected value. */
export const ANY_TEXT: unknown = expect.any(String);

/** Matches any number in an expected value. */
export const ANY_NUMBER: unknown = expect.any(Number);

/** Matches any text that matches `pattern` in an expected value. */
export function aTextLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}
