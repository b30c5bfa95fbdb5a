import { expect, it } from "vitest";
import { lineNumbers } from "./line-numbers.js";

const isNumber = (text: string) => /^\d+$/.test(text);

it("lineNumbers returns the order and refund numbers of a line, and leaves out texts that are not numbers", () => {
  const texts = { outTradeNo: "1", refundNo: undefined, walletTradeNo: "Zhang San" };
  expect(lineNumbers((column) => texts[column], isNumber)).toEqual({ outTradeNo: "1" });
  const all = { outTradeNo: "1", refundNo: "2", walletTradeNo: "3" };
  expect(lineNumbers((column) => all[column], isNumber)).toEqual(all);
});
