import { eventWith } from "../orders/event-details.js";
import type { TimelineEntry } from "../orders/timeline.js";
import type { ApprovalDecision } from "./refund-approval-store.js";
import type { RefundApproval } from "./refund-approval.js";

/** Returns the timeline entry of a request for an approval. */
export function approvalRequestedEntry(approval: RefundApproval): TimelineEntry {
  const { requestedAt, requestedBy, refundNo, amount, reason } = approval;
  return {
    ...eventWith("REFUND_APPROVAL_REQUESTED", { amount }),
    at: requestedAt,
    actor: `operator:${requestedBy}`,
    reason,
    evidence: refundNo,
    alarm: false,
    refundNo,
  };
}

/** Returns the timeline entry of a decision about an approval. */
export function decisionEntry(
  { refundNo, amount, requestedBy }: RefundApproval,
  { operator, note, at, to }: ApprovalDecision,
): TimelineEntry {
  const type = to.state === "APPROVED" ? "REFUND_APPROVED" : "REFUND_REJECTED";
  return {
    ...eventWith(type, { amount, requestedBy }),
    at,
    actor: `operator:${operator}`,
    reason: note,
    evidence: refundNo,
    alarm: false,
    refundNo,
  };
}

/**
 * Returns the alarm about an approved refund that cannot be made.
 *
 * @param before - how many such alarms about the refund the timeline already has.
 */
export function notMadeAlarm(
  { refundNo, amount, decidedBy }: RefundApproval,
  failure: string,
  before: number,
) {
  const by = decidedBy === undefined ? {} : { approvedBy: decidedBy };
  return {
    ...eventWith("REFUND_NOT_MADE", { amount, ...by, failure }),
    actor: "reconciler",
    evidence: before === 0 ? refundNo : `${refundNo} ${String(before)}`,
    refundNo,
  };
}

/** Returns the alarm about a refund that is not stored `days` days after its approval. */
export function notStoredAlarm({ refundNo, amount }: RefundApproval, days: number) {
  return {
    ...eventWith("REFUND_OVERDUE", { amount, status: "REQUESTED", days }),
    actor: "reconciler",
    evidence: refundNo,
    refundNo,
  };
}
