import { expect } from "vitest";

/** The JSON value of a text, or `undefined` if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What stands at `path` in a JSON value, or `undefined`. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Reflect.get(current, step);
  }
  return current;
}

/** The text at `path`; anything else fails the test. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== "string") throw new Error(`No text at ${path.join(".")} of ${JSON.stringify(value)}`);
  return found;
}

/** The number at `path`; anything else fails the test. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number {
  const found = at(value, ...path);
  if (typeof found !== "number")
    throw new Error(`No number at ${path.join(".")} of ${JSON.stringify(value)}`);
  return found;
}

/** The list at `path`; anything else fails the test. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  if (!Array.isArray(found)) throw new Error(`No list at ${path.join(".")} of ${JSON.stringify(value)}`);
  return found;
}

/** The names of an object's members, sorted. */
export function membersOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) throw new Error(`No object: ${JSON.stringify(value)}`);
  return Object.keys(value).sort();
}

/** Stands for any text in an expected value. */
export const ANY_TEXT: unknown = expect.any(String);

/** Stands for any number in an expected value. */
export const ANY_NUMBER: unknown = expect.any(Number);

/** Stands for any text that matches `pattern` in an expected value. */
export function aTextLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}
