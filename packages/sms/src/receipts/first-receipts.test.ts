import { expect, it } from "vitest";
import { firstReceipts } from "./first-receipts.js";

it("firstReceipts recognizes a repeated receipt, per carrier", () => {
  const isFirst = firstReceipts();
  expect([isFirst("tencent", "1"), isFirst("tencent", "1"), isFirst("twilio", "1")]).toEqual([
    true,
    false,
    true,
  ]);
});

it("firstReceipts forgets the oldest receipt when it is full", () => {
  const isFirst = firstReceipts(2);
  const first = ["1", "2", "3"].map((id) => isFirst("tencent", id));
  expect(first).toEqual([true, true, true]);
  expect([isFirst("tencent", "3"), isFirst("tencent", "2")]).toEqual([false, false]);
  expect(isFirst("tencent", "1")).toBe(true);
});

it("firstReceipts counts every receipt without an id as a first one", () => {
  const isFirst = firstReceipts();
  expect([isFirst("tencent", undefined), isFirst("tencent", undefined)]).toEqual([true, true]);
});
