import type { Order, Refund } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { serviceFindings } from "./compare-customers.js";
import { compareOrders } from "./compare-orders.js";
import type { PurchaseRecord } from "./client-records.js";
import type { OrderSnapshot } from "./read-snapshot.js";
import type { LedgerEntry } from "./read-ledger.js";

const MONTH = 30 * 86_400_000;

const purchase = (changes: Partial<PurchaseRecord> = {}): PurchaseRecord => ({
  bizNo: "b",
  customer: "c",
  payChannel: "WALLET_A",
  amount: 600,
  numbers: new Set(["n"]),
  paid: true,
  seen: "PAID",
  refunds: new Map([["r0", { amount: 200, acknowledged: true }]]),
  ...changes,
});
const walletOrder = (changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
  outTradeNo: "n",
  bizNo: "b",
  amount: 600,
  paid: true,
  refunds: [{ refundNo: "n-r0", amount: 200 }],
  ...changes,
});
const order: Order = {
  appId: "a",
  bizNo: "b",
  id: "n",
  customerIdentity: "c",
  amount: 600,
  goodsTitle: "b",
  paySource: "APP",
  payChannel: "WALLET_A",
  paymentStatus: "PAID",
  payToolId: "p",
  notifyUrl: "",
  returnUrl: "",
  expiresAt: 1,
  refundedAmount: 200,
  gmtCreate: 0,
  gmtModified: 0,
};
const refund: Refund = {
  appId: "a",
  bizNo: "b",
  refundNo: "r0",
  amount: 200,
  reason: "r",
  operator: "o",
  status: "CONFIRMED",
  nextTryAt: 0,
  gmtCreate: 0,
  gmtModified: 0,
};
const booked = (changes: Partial<Order> = {}, rest: Partial<OrderSnapshot> = {}): OrderSnapshot => ({
  refunds: [refund],
  events: new Map([["PAID", 1]]),
  eventIds: [],
  whole: true,
  order: { ...order, ...changes },
  ...rest,
});

/** Returns the kinds of the findings, in their order. */
function found(
  requests: readonly PurchaseRecord[],
  ledger: readonly LedgerEntry[],
  snapshot: readonly OrderSnapshot[],
): readonly string[] {
  const purchases = new Map(requests.map((one) => [one.bizNo, one]));
  return compareOrders({ purchases }, ledger, snapshot).map(({ kind }) => kind);
}

describe("the comparison of orders", () => {
  it("finds nothing if all records agree", () => {
    expect(found([purchase()], [walletOrder()], [booked()])).toEqual([]);
    const unpaid = purchase({ paid: false, seen: "PENDING", refunds: new Map() });
    const closed = booked({ paymentStatus: "CLOSE", refundedAmount: 0 }, { refunds: [], events: new Map() });
    expect(found([unpaid], [], [closed])).toEqual([]);
  });

  it("finds lost data", () => {
    expect(found([purchase()], [walletOrder()], [])).toEqual(["lost"]);
    expect(found([purchase()], [walletOrder()], [booked({ paymentStatus: "PENDING" })])).toEqual(["lost"]);
    const unmoved = walletOrder({ refunds: [] });
    expect(found([purchase()], [unmoved], [booked()])).toContain("lost");
    expect(found([purchase()], [walletOrder()], [booked({}, { refunds: [] })])).toEqual(["lost", "lost"]);
    const sent: Refund = { ...refund, status: "SENT" };
    expect(found([purchase()], [walletOrder()], [booked({}, { refunds: [sent] })])).toEqual(["lost"]);
    expect(
      found([purchase({ refunds: new Map() })], [walletOrder({ paid: false, refunds: [] })], []),
    ).toEqual(["lost"]);
  });

  it("finds duplicates", () => {
    const second = walletOrder({ outTradeNo: "m", refunds: [] });
    expect(found([purchase()], [walletOrder(), second], [booked()])).toEqual(["duplicated"]);
    expect(found([purchase({ numbers: new Set(["n", "m"]) })], [walletOrder()], [booked()])).toEqual([
      "duplicated",
    ]);
    const events = new Map([["PAID", 2]]);
    expect(found([purchase()], [walletOrder()], [booked({}, { events })])).toEqual(["duplicated"]);
    const [move] = walletOrder().refunds;
    const twice = walletOrder({ refunds: move === undefined ? [] : [move, move] });
    expect(found([purchase()], [twice], [booked({ refundedAmount: 400 })])).toEqual(["duplicated"]);
    const strange = walletOrder({ refunds: [...walletOrder().refunds, { refundNo: "n-r9", amount: 1 }] });
    expect(found([purchase()], [strange], [booked({ refundedAmount: 201 })])).toEqual(["duplicated"]);
  });

  it("finds contradictions", () => {
    const contradiction = ["contradiction"];
    expect(found([], [], [booked()])).toEqual(contradiction);
    expect(found([purchase()], [walletOrder()], [booked({ amount: 601 })])).toEqual(contradiction);
    expect(found([purchase()], [walletOrder({ amount: 601 })], [booked()])).toEqual(contradiction);
    expect(found([purchase()], [walletOrder()], [booked({ refundedAmount: 199 })])).toEqual(contradiction);
    expect(found([purchase()], [walletOrder()], [booked({ paymentStatus: "REFUND" })])).toEqual(
      contradiction,
    );
    expect(found([purchase()], [walletOrder()], [booked({}, { whole: false })])).toEqual(contradiction);
    const unpaid = purchase({ paid: false, refunds: new Map() });
    const pending = booked({ paymentStatus: "PENDING", refundedAmount: 0 }, { refunds: [] });
    expect(found([unpaid], [walletOrder({ paid: false, refunds: [] })], [pending])).toEqual(contradiction);
  });
});

it("serviceFindings expects a month of service per order", () => {
  const period = { began: 1_000, ended: 2_000 };
  const kinds = (kept: number, ...ends: number[]) =>
    serviceFindings(kept, ends, period).map(([kind]) => kind);
  expect(kinds(2, 1_500 + 2 * MONTH)).toEqual([]);
  expect(kinds(0)).toEqual([]);
  expect(kinds(0, 1_500)).toEqual([]);
  expect(kinds(2, 1_500 + 3 * MONTH)).toEqual(["duplicated"]);
  expect(kinds(2, 1_500 + MONTH)).toEqual(["lost"]);
  expect(kinds(1, 1_500 + MONTH, 1_500)).toEqual(["duplicated"]);
  expect(kinds(1)).toEqual(["lost"]);
});
