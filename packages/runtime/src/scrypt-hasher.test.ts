import { expect, it } from "vitest";
import { scryptHasher, scryptHasherWithCost } from "./scrypt-hasher.js";

const passwords = scryptHasher();
/** A hasher for the tests that do not depend on the cost. */
const lowCostHasher = scryptHasherWithCost({ N: 2 ** 10, r: 8, p: 1 });

it("recognizes the password of a hash, and no other", async () => {
  const hash = await passwords.hash("correct horse battery staple");
  expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(await passwords.matches("correct horse battery staple", hash)).toBe(true);
  expect(await passwords.matches("correct horse battery stapl", hash)).toBe(false);
  expect(await passwords.matches("", hash)).toBe(false);
});

it("hashes the same password differently each time", async () => {
  expect(await lowCostHasher.hash("same password")).not.toBe(await lowCostHasher.hash("same password"));
});

it("accepts a password in each Unicode composition of its letters", async () => {
  const hash = await lowCostHasher.hash("caf\u00e9 au lait, twice");
  expect(await lowCostHasher.matches("cafe\u0301 au lait, twice", hash)).toBe(true);
});

it.each([
  ["the account is unknown", undefined],
  ["the text is empty", ""],
  ["the text is no hash", "plain"],
  ["the cost would use up the memory", `scrypt$1048576$8$1$${"A".repeat(22)}$${"A".repeat(43)}`],
  ["the cost is no power of two", `scrypt$1000$8$1$${"A".repeat(22)}$${"A".repeat(43)}`],
  ["the salt is missing", `scrypt$32768$8$3$$${"A".repeat(43)}`],
])("matches nothing if %s", async (_, hash) => {
  expect(await lowCostHasher.matches("correct horse battery staple", hash)).toBe(false);
});
