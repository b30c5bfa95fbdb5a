import fc from "fast-check";
import { it } from "vitest";
import { equalInConstantTime } from "./digest.js";

it("equalInConstantTime returns the same as ===", () => {
  const text = fc.string({ maxLength: 6 });
  fc.assert(fc.property(text, text, (left, right) => equalInConstantTime(left, right) === (left === right)));
  fc.assert(fc.property(text, (same) => equalInConstantTime(same, same)));
});
