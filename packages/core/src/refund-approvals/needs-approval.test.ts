import { describe, expect, it } from "vitest";
import { REFUND_STATUSES, type RefundStatus } from "../orders/refund-status.js";
import type { Refund } from "../refunds/refund.js";
import type { RefundApproval, RefundApprovalState } from "./refund-approval.js";
import { unapprovedOf } from "./needs-approval.js";

const KEY = { appId: "app_1", bizNo: "b-1", refundNo: "r-1" };

function aRefund(status: RefundStatus): Refund {
  const times = { gmtCreate: 1, gmtModified: 1 };
  return { ...KEY, ...times, status, amount: 300, reason: "test", operator: "li" };
}

function anApproval(state: RefundApprovalState, amount = 300): RefundApproval {
  return { ...KEY, id: "a-1", amount, reason: "test", requestedBy: "li", requestedAt: 1, state };
}

/** The statuses in which the customer gets no money, written out. */
const WITHOUT_MONEY: readonly string[] = ["FAILED", "WITHDRAWN"];

describe.each(REFUND_STATUSES.map((status) => [status] as const))("a refund that is %s", (status) => {
  const expected = WITHOUT_MONEY.includes(status) ? 0 : 300;

  it(`counts ${expected} of 300 cents towards the limits of one operator`, () => {
    expect(unapprovedOf([aRefund(status)], [])).toBe(expected);
  });

  it.each([
    ["waits for an approval", anApproval("WAITING")],
    ["was rejected", anApproval("REJECTED")],
    ["was approved with another amount", anApproval("APPROVED", 299)],
  ])(`counts as much if it %s`, (_, approval) => {
    expect(unapprovedOf([aRefund(status)], [approval])).toBe(expected);
  });

  it("counts nothing if a second operator approved it", () => {
    expect(unapprovedOf([aRefund(status)], [anApproval("APPROVED")])).toBe(0);
  });
});
