import { expect } from "vitest";

/** Matches a text that has these words in it. `expect`'s own matcher is of type `any`. */
export function like(words: RegExp | string): unknown {
  return expect.stringMatching(words);
}
