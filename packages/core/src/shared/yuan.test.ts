import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { centsOfYuan, moneyText, yuanText } from "./yuan.js";

describe("yuanText", () => {
  it.each([
    [1, "0.01"],
    [10, "0.10"],
    [601, "6.01"],
    [10_000_000_000, "100000000.00"],
  ])("writes %d cents as %s", (cents, text) => {
    expect(yuanText(cents)).toBe(text);
  });

  it("is undone by centsOfYuan for every amount", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000_000 }),
        (cents) => centsOfYuan(yuanText(cents)) === cents,
      ),
    );
  });
});

describe("centsOfYuan", () => {
  it.each(["", "1.234", "-1.00", "1e2", " 1.00", "1.", ".5", "١.00"])("rejects %j", (text) => {
    expect(centsOfYuan(text)).toBeUndefined();
  });

  it("reads one decimal as tenths", () => {
    expect(centsOfYuan("6.5")).toBe(650);
  });
});

it.each([
  [0, "¥0.00"],
  [5, "¥0.05"],
  [3333, "¥33.33"],
  [99_999, "¥999.99"],
  [123_456, "¥1,234.56"],
  [123_456_789_01, "¥123,456,789.01"],
  [-1205, "-¥12.05"],
])("formats %d cents for a reader as %s", (cents, text) => {
  expect(moneyText(cents)).toBe(text);
});
