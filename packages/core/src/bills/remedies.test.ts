import { describe, expect, it } from "vitest";
import { BILL_EXCEPTION_KINDS } from "../orders/bill-exception-kind.js";
import { EVENT_DETAILS, type TimelineEventType } from "../orders/event-details.js";
import { REFUND_STATUSES } from "../orders/refund-status.js";
import { BILL_EXCEPTION_STATES } from "./bill-exception.js";
import { ALARM_REMEDIES, alarmRemedies, exceptionRemedies, refundRemedies } from "./remedies.js";

const ORDER = { appId: "app_1", bizNo: "b-1" };
/** The bills of 1 February are ready at 10:00 on 2 February, in China. */
const READY = Date.parse("2026-02-02T10:00:00+08:00");
const wait = { remedy: "wait", until: READY };

/** The remedies of an exception: first if an order has its number, then if no order has it. */
const EXCEPTIONS = {
  PAYMENT_NOT_HERE: ["adopt settle", "assign not-ours settle"],
  PAYMENT_NOT_THERE: ["wait settle", "wait settle"],
  PAYMENT_AMOUNT: ["settle", "settle"],
  REFUND_NOT_HERE: ["adopt settle", "assign not-ours settle"],
  REFUND_NOT_THERE: ["wait settle", "wait settle"],
  REFUND_AMOUNT: ["settle", "settle"],
  UNREADABLE_LINE: ["settle", "settle"],
  LINE_MISSING: ["wait not-ours settle", "wait not-ours settle"],
  MOVEMENT_MISSING: ["wait settle", "wait settle"],
  MOVEMENT_UNKNOWN: ["settle", "assign not-ours settle"],
  MOVEMENT_AMOUNT: ["settle", "settle"],
  MOVEMENT_TOTAL: ["wait not-ours settle", "wait not-ours settle"],
  FEE_AMOUNT: ["settle", "settle"],
  FEE_TOTAL: ["settle", "settle"],
  BALANCE: ["settle", "settle"],
  UNREADABLE_MOVEMENT: ["settle", "settle"],
} as const;

const REFUNDS = {
  REQUESTED: "wait settle withdraw",
  SENT: "wait settle withdraw",
  WAITING_FOR_FUNDS: "wait settle withdraw",
  ABNORMAL: "settle",
  CONFIRMED: "",
  FAILED: "refund settle",
  WITHDRAWN: "refund settle",
  SETTLED: "",
} as const;

const ALARMS = {
  PREPAYMENT_REJECTED: "acknowledge",
  LATE_PAYMENT: "refund acknowledge",
  SECOND_PAYMENT: "acknowledge",
  CLOSED_AFTER_PAYMENT: "acknowledge",
  MISMATCH: "acknowledge",
  UNKNOWN_REFUND: "adopt acknowledge",
  REFUND_NOT_MADE: "refund acknowledge",
  REFUND_CONFIRMED: "acknowledge",
  REFUND_FAILED: "acknowledge",
  REFUND_WAITING_FOR_FUNDS: "acknowledge",
  REFUND_ABNORMAL: "acknowledge",
  REFUND_OVERDUE: "acknowledge",
  REFUND_ADOPTED: "acknowledge",
  REFUND_PAID_TWICE: "acknowledge",
  SHIPMENT_REFUSED: "report acknowledge",
  SHIPMENT_OVERDUE: "report acknowledge",
} as const;

const isType = (name: string): name is TimelineEventType => Object.hasOwn(EVENT_DETAILS, name);
const TYPES = Object.keys(EVENT_DETAILS).filter(isType);

const names = (offered: readonly { readonly remedy: string }[]) =>
  offered.map(({ remedy }) => remedy).join(" ");

describe("exceptionRemedies", () => {
  it("has a row for every kind", () => {
    expect(Object.keys(EXCEPTIONS).toSorted()).toEqual(BILL_EXCEPTION_KINDS.toSorted());
  });

  it.each(BILL_EXCEPTION_KINDS)("offers the remedies of an open exception of the kind %s", (kind) => {
    const open = { kind, state: "OPEN", day: "2026-01-31" } as const;
    const [known, unknown] = EXCEPTIONS[kind];
    expect(names(exceptionRemedies({ ...open, order: ORDER }, READY - 1))).toBe(known);
    expect(names(exceptionRemedies(open, READY - 1))).toBe(unknown);
    // From then on, `wait` is not offered, and another remedy is.
    const late = names(exceptionRemedies(open, READY));
    expect(late).toBe(unknown.replace("wait ", ""));
    expect(late).not.toBe("");
  });

  it("offers to wait until the bill of the next day is ready", () => {
    const open = { kind: "REFUND_NOT_THERE", state: "OPEN", day: "2026-01-31" } as const;
    expect(exceptionRemedies(open, READY - 1)).toEqual([wait, { remedy: "settle" }]);
  });

  it("offers the remedies of an unknown order if a person assigned the order", () => {
    const again = { kind: "PAYMENT_NOT_HERE", state: "OPEN", day: "2026-01-31", order: ORDER } as const;
    expect(names(exceptionRemedies({ ...again, remedy: "assign" }, READY))).toBe("assign not-ours settle");
  });

  it.each(BILL_EXCEPTION_STATES.filter((state) => state !== "OPEN"))("offers nothing for %s", (state) => {
    expect(exceptionRemedies({ kind: "BALANCE", state, day: "2026-01-31" }, 0)).toEqual([]);
  });
});

describe("refundRemedies", () => {
  it.each(REFUND_STATUSES)("offers the remedies of a refund that is %s", (status) => {
    const isWaiting = REFUNDS[status].startsWith("wait");
    const refund = { status, ...(isWaiting && { nextTryAt: 7 }) };
    expect(names(refundRemedies(refund))).toBe(REFUNDS[status]);
    if (isWaiting) expect(refundRemedies(refund)[0]).toEqual({ remedy: "wait", until: 7 });
  });

  it("does not offer to withdraw a refund that the wallet has accepted", () => {
    expect(names(refundRemedies({ status: "SENT", walletRefundNo: "5030", nextTryAt: 7 }))).toBe(
      "wait settle",
    );
  });
});

describe("alarmRemedies", () => {
  it("has a row for every type that raises alarms", () => {
    expect(Object.keys(ALARM_REMEDIES).toSorted()).toEqual(Object.keys(ALARMS).toSorted());
  });

  it.each(TYPES.filter((type) => Object.hasOwn(ALARMS, type)))("offers the remedies of %s", (type) => {
    const rows: Readonly<Record<string, string>> = ALARMS;
    expect(names(alarmRemedies(type))).toBe(rows[type]);
  });

  it("lets a person acknowledge an alarm of any other type", () => {
    for (const type of TYPES.filter((name) => !Object.hasOwn(ALARMS, name)))
      expect(names(alarmRemedies(type))).toBe("acknowledge");
  });
});
