import { describe, expect, it } from "vitest";
import { eventWith } from "../orders/event-details.js";
import type { TimelineEntry, TimelineEvent } from "../orders/timeline.js";
import { orderDifferences } from "./order-differences.js";
import type { Refund } from "./refund.js";

const BASE = { at: 1, actor: "wallet", alarm: false };

function timelineOf(...entries: readonly Partial<TimelineEntry>[]): readonly TimelineEvent[] {
  return entries.map((entry, index) => ({
    ...BASE,
    ...eventWith("CREATED", { amount: 600 }),
    ...entry,
    seq: index + 1,
    previousHash: "",
    hash: "",
  }));
}

const created = { ...eventWith("CREATED", { amount: 600 }), to: "PENDING" } as const;
const paid = { ...eventWith("PAID", { source: "query" }), from: "PENDING", to: "PAID" } as const;
const asked = { ...eventWith("REFUND_REQUESTED", { amount: 200 }), refundNo: "r-1" };
const confirmed = { ...eventWith("REFUND_CONFIRMED", { amount: 200 }), refundNo: "r-1", evidence: "d" };

function refund(status: Refund["status"], changes: Partial<Refund> = {}): Refund {
  const key = { appId: "a", bizNo: "b", refundNo: "r-1", amount: 200, reason: "x", operator: "li" };
  return { ...key, status, gmtCreate: 1, gmtModified: 1, ...changes };
}

describe("orderDifferences", () => {
  const order = { paymentStatus: "PAID", amount: 600, refundedAmount: 200 } as const;
  const whole = timelineOf(created, paid, asked, confirmed);

  it("finds no difference in a consistent record", () => {
    expect(orderDifferences(order, [refund("CONFIRMED")], whole)).toEqual([]);
    expect(
      orderDifferences({ ...order, refundedAmount: 0 }, [refund("SENT")], timelineOf(created, paid, asked)),
    ).toEqual([]);
    expect(
      orderDifferences({ ...order, paymentStatus: "PENDING", refundedAmount: 0 }, [], timelineOf(created)),
    ).toEqual([]);
  });

  it.each([
    [
      "the status",
      { ...order, paymentStatus: "REFUND" } as const,
      [refund("CONFIRMED")],
      ["paymentStatus REFUND PAID"],
    ],
    ["the amount", { ...order, amount: 60_000 }, [refund("CONFIRMED")], ["amount 60000 600"]],
    ["the refunded sum", { ...order, refundedAmount: 0 }, [refund("CONFIRMED")], ["refundedAmount 0 200"]],
    ["the state of a refund", order, [refund("FAILED")], ["refund-status failed refunded"]],
    ["the amount of a refund", order, [refund("CONFIRMED", { amount: 1 })], ["refund-amount 1 200"]],
    ["a removed refund", order, [], ["refund-status none refunded"]],
    [
      "an invented refund",
      order,
      [refund("CONFIRMED"), refund("CONFIRMED", { refundNo: "r-2" })],
      ["refund-status refunded none"],
    ],
  ])("finds a change of %s", (_, row, refunds, expected) => {
    const found = orderDifferences(row, refunds, whole);
    expect(found.map(({ member, stored, proven }) => `${member} ${stored} ${proven}`)).toEqual(expected);
  });

  it("finds a PAID row without a payment on the timeline", () => {
    const paidByHand = { ...order, refundedAmount: 0 };
    expect(orderDifferences(paidByHand, [], timelineOf(created))).toEqual([
      { member: "paymentStatus", stored: "PAID", proven: "PENDING" },
    ]);
  });

  it("counts what another service refunded before the import", () => {
    const imported = { ...eventWith("IMPORTED", { amount: 600, refundedAmount: 50 }), to: "PAID" } as const;
    const events = timelineOf(imported, asked, confirmed);
    expect(orderDifferences({ ...order, refundedAmount: 250 }, [refund("CONFIRMED")], events)).toEqual([]);
    expect(orderDifferences(order, [refund("CONFIRMED")], events)).toMatchObject([
      { member: "refundedAmount" },
    ]);
  });

  it("reports nothing that an unreadable entry does not prove", () => {
    const unreadable = timelineOf(created, paid, { type: "REFUND_CONFIRMED", details: "{}", evidence: "x" });
    expect(orderDifferences(order, [refund("FAILED")], unreadable)).toEqual([]);
  });

  it("counts a settled refund, and a refund that is confirmed after it had failed", () => {
    const failed = { ...eventWith("REFUND_FAILED", {}), refundNo: "r-1", evidence: "r-1" };
    const settled = { ...eventWith("REFUND_SETTLED", { amount: 200 }), refundNo: "r-1", evidence: "r-1" };
    const ended = (...more: readonly Partial<TimelineEntry>[]) =>
      timelineOf(created, paid, asked, failed, ...more);
    expect(orderDifferences({ ...order, refundedAmount: 0 }, [refund("FAILED")], ended())).toEqual([]);
    expect(orderDifferences(order, [refund("SETTLED")], ended(settled))).toEqual([]);
    expect(orderDifferences(order, [refund("CONFIRMED")], ended(confirmed))).toEqual([]);
  });
});
