import { expect, it, vi } from "vitest";
import { memoizeByObject } from "./memoize-by-object.js";

it("memoizeByObject computes a value once per object, even if the value is undefined", () => {
  const compute = vi.fn((key: { readonly name?: string }) => key.name);
  const nameOf = memoizeByObject(compute);
  const [one, other] = [{ name: "a" }, {}];
  expect([nameOf(one), nameOf(other), nameOf(one), nameOf(other)]).toEqual(["a", undefined, "a", undefined]);
  expect(compute).toHaveBeenCalledTimes(2);
});

it("memoizeByObject does not share values between equal objects", () => {
  let count = 0;
  const numberOf = memoizeByObject(() => (count += 1));
  expect([numberOf({}), numberOf({})]).toEqual([1, 2]);
});
