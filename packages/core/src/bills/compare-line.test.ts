import { describe, expect, it } from "vitest";
import type { Refund } from "../refunds/refund.js";
import { anOrder, aRefund } from "../testing/stubs.js";
import { compareLine, type Counterpart } from "./compare-line.js";
import type { BillLine } from "../wallets/wallet-bill.js";

const scope = { payToolIds: new Set(["tool-1"]), from: 1_000, until: 2_000 };
const payment: BillLine = {
  kind: "payment",
  outTradeNo: "order-1",
  amount: 600,
  state: "DONE",
  walletTradeNo: "42",
};
const back: BillLine = { ...payment, kind: "refund", refundNo: "refund-1", amount: 200 };
const paid = anOrder({ paymentStatus: "PAID", pmtDt: 1_000 });
const refund = aRefund({ status: "CONFIRMED", gmtModified: 1_999 });

describe("compareLine for a payment", () => {
  it.each<readonly [string, Counterpart, ReturnType<typeof compareLine>]>([
    ["paid that day", { order: paid }, { elsewhere: false }],
    ["refunded afterwards", { order: { ...paid, paymentStatus: "REFUND" } }, { elsewhere: false }],
    ["stored as paid on the day before", { order: { ...paid, pmtDt: 999 } }, { elsewhere: true }],
    ["stored as paid on the day after", { order: { ...paid, pmtDt: 2_000 } }, { elsewhere: true }],
    [
      "with another amount",
      { order: { ...paid, amount: 601 } },
      { kind: "PAYMENT_AMOUNT", elsewhere: false },
    ],
    [
      "with another amount and day",
      { order: { ...paid, amount: 601, pmtDt: 2_000 } },
      { kind: "PAYMENT_AMOUNT", elsewhere: true },
    ],
    ["not paid in Tillkit", { order: anOrder() }, { kind: "PAYMENT_NOT_HERE", elsewhere: true }],
    [
      "closed in Tillkit",
      { order: anOrder({ paymentStatus: "CLOSE" }) },
      { kind: "PAYMENT_NOT_HERE", elsewhere: true },
    ],
    ["unknown to Tillkit", {}, { kind: "PAYMENT_NOT_HERE", elsewhere: false }],
    [
      "paid to another merchant",
      { order: { ...paid, payToolId: "tool-2" } },
      { kind: "PAYMENT_NOT_HERE", elsewhere: false },
    ],
  ])("%s", (_, found, compared) => {
    expect(compareLine(payment, found, scope)).toEqual(compared);
  });
});

describe("compareLine for a refund", () => {
  const of = (changes: Partial<Refund>): Counterpart => ({ order: paid, refund: { ...refund, ...changes } });
  it.each<readonly [string, BillLine["state"], Counterpart, ReturnType<typeof compareLine>]>([
    ["confirmed that day", "DONE", of({}), { elsewhere: false }],
    ["open in the bill, confirmed in Tillkit since then", "OPEN", of({}), { elsewhere: false }],
    ["confirmed the day after", "DONE", of({ gmtModified: 2_000 }), { elsewhere: true }],
    ["open in the bill and in Tillkit", "OPEN", of({ status: "SENT" }), { elsewhere: true }],
    ["not sent yet by Tillkit", "OPEN", of({ status: "REQUESTED" }), { elsewhere: true }],
    ["open in Tillkit", "DONE", of({ status: "SENT" }), { kind: "REFUND_NOT_HERE", elsewhere: true }],
    [
      "failed in Tillkit, done in the bill",
      "DONE",
      of({ status: "FAILED" }),
      { kind: "REFUND_NOT_HERE", elsewhere: true },
    ],
    [
      "failed in Tillkit, open in the bill",
      "OPEN",
      of({ status: "FAILED" }),
      { kind: "REFUND_NOT_HERE", elsewhere: true },
    ],
    ["with another amount", "DONE", of({ amount: 201 }), { kind: "REFUND_AMOUNT", elsewhere: false }],
    ["unknown to Tillkit", "DONE", { order: paid }, { kind: "REFUND_NOT_HERE", elsewhere: true }],
    ["of an unknown order", "OPEN", {}, { kind: "REFUND_NOT_HERE", elsewhere: false }],
    [
      "of another merchant",
      "DONE",
      { order: { ...paid, payToolId: "tool-2" }, refund },
      { kind: "REFUND_NOT_HERE", elsewhere: false },
    ],
  ])("%s", (_, state, found, compared) => {
    expect(compareLine({ ...back, state }, found, scope)).toEqual(compared);
  });
});
