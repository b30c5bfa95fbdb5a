import { expect } from "vitest";

/** Matches a text that contains these words. The matcher of `expect` has the type `any`. */
export function textContaining(words: RegExp | string): unknown {
  return expect.stringMatching(words);
}
