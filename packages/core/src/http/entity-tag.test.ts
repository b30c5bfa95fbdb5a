import { expect, it } from "vitest";
import { entityTags, isKnownToClient } from "./entity-tag.js";

const digest = { sha256: (text: string) => `hash-of-${text}` };
const tagOf = entityTags(digest);
const TAG = tagOf("a");

function isKnown(known: string | undefined) {
  return isKnownToClient({ headers: { get: () => known ?? null } }, TAG);
}

it("creates a weak tag that depends only on the content", () => {
  expect(TAG).toBe('W/"hash-of-a"');
  expect(tagOf("b")).toBe('W/"hash-of-b"');
  expect(tagOf("a")).toBe(TAG);
});

it.each([
  [undefined, false],
  ["", false],
  ["*", true],
  [" * ", true],
  [TAG, true],
  ['"hash-of-a"', true],
  ['"x", W/"hash-of-a"', true],
  ['W/"x,y",W/"hash-of-a" , "z"', true],
  ['W/"hash-of-b"', false],
  ['"hash-of-a', false],
  ["hash-of-a", false],
  ['"HASH-OF-A"', false],
  ['"*"', false],
  ['"x*", *', false],
])("reads If-None-Match: %s", (known, expected) => {
  expect(isKnown(known)).toBe(expected);
});
