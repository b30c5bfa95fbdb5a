import type { ApprovalDecision, RefundApproval } from "@tillkit/core";
import { DAY, FIXTURE_TIME, MINUTE, unique } from "./fixtures.js";

/** Creates a WAITING approval of a refund that the operator `li` requested. */
export function aRefundApproval(changes: Partial<RefundApproval> = {}): RefundApproval {
  return {
    ...{ id: unique("approval-"), appId: "app_1", bizNo: "biz-1", refundNo: "refund-1", amount: 600 },
    ...{ reason: "bought twice", requestedBy: "li", requestedAt: FIXTURE_TIME, state: "WAITING" },
    ...changes,
  };
}

/** Creates the decision of the operator `han` to approve, due after a minute. */
export function anApproval(changes: Partial<ApprovalDecision> = {}): ApprovalDecision {
  const to = { state: "APPROVED", nextTryAt: FIXTURE_TIME + MINUTE } as const;
  return { operator: "han", note: "checked", at: FIXTURE_TIME + 1, coolingOff: DAY, to, ...changes };
}

/** Creates the decision of the operator `han` to reject. */
export function aRejection(changes: Partial<ApprovalDecision> = {}): ApprovalDecision {
  return anApproval({ note: "no reason", to: { state: "REJECTED" }, ...changes });
}
