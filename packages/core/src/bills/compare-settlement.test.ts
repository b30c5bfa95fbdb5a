import { describe, expect, it } from "vitest";
import type { Refund } from "../refunds/refund.js";
import { anOrder, aRefund } from "../testing/stubs.js";
import type { Settlement, SettlementSide } from "./bill-settlement-store.js";
import { type ComparedSettlement, compareSettlement, type SettlementRecord } from "./compare-settlement.js";

const scope = { payToolIds: new Set(["tool-1"]), from: 1_000, until: 2_000 };
const NONE: SettlementSide = { lines: 0, received: 0, fee: 0 };
const side = (received: number, fee: number): SettlementSide => ({ lines: 1, received, fee });
const settlement = (stated: SettlementSide, moved: SettlementSide, changes: Partial<Settlement> = {}) => ({
  settlementNo: "42",
  open: 0,
  outTradeNo: "order-1",
  stated,
  moved,
  ...changes,
});
const nothing: SettlementRecord = { refunds: [] };

describe("compareSettlement for a line of the trade bill", () => {
  it.each<readonly [string, Settlement, boolean, ComparedSettlement]>([
    ["equal in both bills", settlement(side(600, 4), side(600, 4)), true, {}],
    ["with the fee deducted", settlement(side(600, 4), side(596, 0)), true, {}],
    ["paid with a coupon alone", settlement(side(0, 0), NONE), true, {}],
    [
      "missing in the fund-flow bill",
      settlement(side(600, 4), NONE),
      true,
      { kind: "MOVEMENT_MISSING", amountHere: 600 },
    ],
    ["a refund in progress", settlement(side(-600, -4), NONE, { open: 1 }), true, {}],
    [
      "with another amount",
      settlement(side(600, 4), side(601, 4)),
      true,
      { kind: "MOVEMENT_AMOUNT", amountThere: 601, amountHere: 600 },
    ],
    [
      "with another fee",
      settlement(side(600, 4), side(600, 5)),
      true,
      { kind: "FEE_AMOUNT", amountThere: 5, amountHere: 4 },
    ],
    ["without a fee, on a day without booked fees", settlement(side(600, 4), side(600, 0)), false, {}],
    [
      "with another amount, on a day without booked fees",
      settlement(side(600, 4), side(700, 0)),
      false,
      { kind: "MOVEMENT_AMOUNT", amountThere: 700, amountHere: 600 },
    ],
  ])("%s", (_, both, areFeesBooked, compared) => {
    expect(compareSettlement(both, nothing, scope, areFeesBooked)).toEqual(compared);
  });
});

describe("compareSettlement for a movement that the trade bill does not list", () => {
  const paid = anOrder({ paymentStatus: "PAID" });
  const unknown = (amountThere: number) => ({ kind: "MOVEMENT_UNKNOWN", amountThere }) as const;
  const of = (changes: Partial<Refund> = {}) => ({
    order: paid,
    refunds: [aRefund({ refundNo: "r", amount: 200, status: "CONFIRMED", ...changes })],
  });
  const elsewhere = { isOfAnotherDay: true };
  it.each<readonly [string, number, SettlementRecord, ComparedSettlement]>([
    ["a payment of a paid order", 600, { order: paid, refunds: [] }, elsewhere],
    ["less than the order, because of a coupon", 500, { order: paid, refunds: [] }, elsewhere],
    [
      "more than the order",
      601,
      { order: paid, refunds: [] },
      { kind: "MOVEMENT_AMOUNT", amountThere: 601, amountHere: 600 },
    ],
    [
      "a payment of a refunded order",
      600,
      { order: { ...paid, paymentStatus: "REFUND" }, refunds: [] },
      elsewhere,
    ],
    ["a payment of an open order", 600, { order: anOrder(), refunds: [] }, unknown(600)],
    ["a payment of an unknown order", 600, nothing, unknown(600)],
    [
      "a payment to another merchant",
      600,
      { order: { ...paid, payToolId: "tool-2" }, refunds: [] },
      unknown(600),
    ],
    ["a fee of a paid order", 0, { order: paid, refunds: [] }, elsewhere],
    ["a refund", -200, of(), elsewhere],
    ["a refund in progress", -200, of({ status: "SENT" }), elsewhere],
    ["a refund that is FAILED in Tillkit", -200, of({ status: "FAILED" }), unknown(-200)],
    ["an unknown refund", -200, { order: paid, refunds: [] }, unknown(-200)],
    ["more than the refund", -201, of(), { kind: "MOVEMENT_AMOUNT", amountThere: -201, amountHere: -200 }],
  ])("%s", (_, received, found, compared) => {
    expect(compareSettlement(settlement(NONE, side(received, 0)), found, scope, true)).toEqual(compared);
  });

  it("finds the refund by its number if the movement states one", () => {
    const both = settlement(NONE, side(-200, 0), { refundNo: "order-1-r" });
    expect(compareSettlement(both, of(), scope, true)).toEqual(elsewhere);
    expect(compareSettlement({ ...both, refundNo: "order-1-other" }, of(), scope, true)).toEqual(
      unknown(-200),
    );
  });
});
