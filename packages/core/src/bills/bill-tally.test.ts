import { expect, it } from "vitest";
import { EMPTY_BILL, isSameTally, tallyLines } from "./bill-tally.js";
import type { BillLine, BillTotals, UnreadableLine } from "../wallets/wallet-bill.js";

const line: BillLine = { kind: "payment", outTradeNo: "o", amount: 5, state: "DONE", walletTradeNo: "42" };
const faulty: UnreadableLine = { kind: "unreadable", at: 1, digest: "d", problem: "p" };

it("counts payments, refunds and unreadable lines separately", () => {
  const first = tallyLines(EMPTY_BILL, [line, { ...line, kind: "refund", amount: 2 }]);
  expect(first).toEqual({ payments: 1, paymentAmount: 5, refunds: 1, refundAmount: 2 });
  const both = tallyLines(tallyLines(first, [faulty]), [faulty, line]);
  expect(both).toEqual({
    payments: 2,
    paymentAmount: 10,
    refunds: 1,
    refundAmount: 2,
    unreadable: { lines: 2 },
  });
});

it.each<Partial<BillTotals>>([
  { payments: 2 },
  { paymentAmount: 6 },
  { refunds: 2 },
  { refundAmount: 3 },
  { unreadable: { lines: 1 } },
])("distinguishes bills that differ in %j", (changes) => {
  const totals: BillTotals = { payments: 1, paymentAmount: 5, refunds: 1, refundAmount: 2 };
  expect(isSameTally(totals, { ...totals })).toBe(true);
  expect(isSameTally(totals, { ...totals, ...changes })).toBe(false);
  expect(isSameTally({ ...totals, ...changes }, totals)).toBe(false);
});

it("compares only what the lines contain, not the bill's own totals", () => {
  const totals: BillTotals = { ...EMPTY_BILL, unreadable: { lines: 1 } };
  expect(isSameTally(totals, { ...totals, fees: 4, unreadable: { lines: 1, paymentAmount: 7 } })).toBe(true);
});
