import { expect, it } from "vitest";
import { counterpartOf } from "./counterpart.js";

const PAGES = ["index.md", "guide/payments.md", "guide/refunds.md", "zh/index.md", "zh/guide/payments.md"];

it.each([
  ["index.md", "/zh/"],
  ["zh/index.md", "/"],
  ["guide/payments.md", "/zh/guide/payments.html"],
  ["zh/guide/payments.md", "/guide/payments.html"],
  ["guide/refunds.md", undefined],
])("counterpartOf returns the page of %s in the other language", (page, address) => {
  expect(counterpartOf(page, PAGES)).toBe(address);
});
