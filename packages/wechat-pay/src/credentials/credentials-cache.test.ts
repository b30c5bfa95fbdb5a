import { orThrow } from "@tillkit/core";
import { expect, it } from "vitest";
import { credentials } from "../testing/keys.js";
import { credentialsCache } from "./credentials-cache.js";

const withKey = (apiV3Key: string) => ({ credentials: { ...credentials, apiV3Key } });
const KEYS = ["a", "b", "c"].map((letter) => letter.repeat(32));
const [A = "", B = "", C = ""] = KEYS;

it("the cache parses equal credentials once, for any object and order of members", () => {
  const read = credentialsCache(2);
  const first = read(withKey(A));
  const reversed = Object.fromEntries(Object.entries(withKey(A).credentials).reverse());
  expect(read({ credentials: reversed })).toBe(first);
});

it("the cache parses changed credentials immediately", () => {
  const read = credentialsCache(2);
  expect(
    KEYS.map((key) =>
      orThrow(read(withKey(key)))
        .apiV3Key.export()
        .toString(),
    ),
  ).toEqual(KEYS);
});

it("the cache respects its size, and drops the least recently used credentials", () => {
  const read = credentialsCache(2);
  const [a, b] = [read(withKey(A)), read(withKey(B))];
  expect(read(withKey(A))).toBe(a);
  read(withKey(C));
  expect(read(withKey(A))).toBe(a);
  expect(read(withKey(B))).not.toBe(b);
});

it("the cache also keeps credentials that do not work", () => {
  const read = credentialsCache(2);
  expect(read({ credentials: {} })).toBe(read({ credentials: {} }));
});
