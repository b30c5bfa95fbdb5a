import { createContext, runInContext } from "node:vm";
import { expect, it } from "vitest";
import { errorCode, innerErrors, isError } from "./is-error.js";

const otherRealm = createContext({});

it.each([
  ["an Error", new Error("no")],
  ["a TypeError", new TypeError("no")],
  ["an aborted call", new DOMException("no", "AbortError")],
  ["an Error of another realm", runInContext(`new Error("no")`, otherRealm)],
  ["a RangeError of another realm", runInContext(`new RangeError("no")`, otherRealm)],
])("%s is an error", (_case, thrown) => {
  expect(isError(thrown)).toBe(true);
});

it.each([undefined, null, "no", { name: "Error", message: "no" }, ["no"]])("%j is no error", (thrown) => {
  expect(isError(thrown)).toBe(false);
});

it("the code of an error is a text, also of another realm", () => {
  const denied: unknown = runInContext(`Object.assign(new Error("no"), { code: "EACCES" })`, otherRealm);
  expect(errorCode(denied)).toBe("EACCES");
  // The code of an aborted call is the number 20.
  expect(errorCode(new DOMException("no", "AbortError"))).toBeUndefined();
  expect(errorCode({ code: "EACCES" })).toBeUndefined();
});

it("an AggregateError of another realm contains its errors, and any other value none", () => {
  expect(innerErrors(runInContext(`new AggregateError([1, 2])`, otherRealm))).toEqual([1, 2]);
  expect(innerErrors(new Error("no"))).toEqual([]);
  expect(innerErrors({ errors: [1] })).toEqual([]);
});
