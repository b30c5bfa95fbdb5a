import type { Stores, TimelineEntry } from "@tillkit/core";
import type {
  ApprovalDecision,
  ApprovalRequestOutcome,
  AuditEntry,
  RefundApproval,
} from "@tillkit/core/ports";
import { anEntry, anOrder, DAY, FIXTURE_TIME, MINUTE, unique } from "./fixtures.js";
import { expectOk } from "./open-before-each.js";

/** Creates a WAITING approval of a refund that the operator `li` requested. */
export function aRefundApproval(changes: Partial<RefundApproval> = {}): RefundApproval {
  return {
    id: unique("approval-"),
    appId: "app_1",
    bizNo: "biz-1",
    refundNo: "refund-1",
    amount: 600,
    reason: "bought twice",
    requestedBy: "li",
    requestedAt: FIXTURE_TIME,
    state: "WAITING",
    ...changes,
  };
}

/** Returns the event of a request for an approval. */
export function approvalEntry(changes: Partial<TimelineEntry> = {}): TimelineEntry {
  const entry = { type: "REFUND_APPROVAL_REQUESTED", actor: "operator:li", reason: "bought twice" } as const;
  return { ...entry, at: FIXTURE_TIME, alarm: false, refundNo: "refund-1", ...changes };
}

/** Returns the event of a decision. */
export function decisionEntry(changes: Partial<TimelineEntry> = {}): TimelineEntry {
  return approvalEntry({ type: "REFUND_APPROVED", actor: "operator:han", reason: "checked", ...changes });
}

/** Stores an approval, and its order if it does not exist. */
export async function requestApproval(
  { orders, refundApprovals }: Pick<Stores, "orders" | "refundApprovals">,
  approval: RefundApproval,
  audit?: AuditEntry,
): Promise<ApprovalRequestOutcome> {
  const { appId, bizNo, refundNo } = approval;
  await expectOk(orders.insertOnce(anOrder({ appId, bizNo }), anEntry()));
  return expectOk(refundApprovals.request(approval, approvalEntry({ refundNo }), undefined, audit));
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
