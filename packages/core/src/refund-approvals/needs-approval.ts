import type { Policy } from "../policy.js";
import type { Refund } from "../refunds/refund.js";
import type { RefundApproval } from "./refund-approval.js";

/**
 * Returns whether a new refund needs a second operator.
 *
 * `unapproved`: the result of {@link unapprovedOf}, in cents.
 */
export function needsApproval(
  { unapproved }: { readonly unapproved: number },
  amount: number,
  { refundApprovalOver }: Pick<Policy, "refundApprovalOver">,
): boolean {
  return refundApprovalOver !== undefined && unapproved + amount > refundApprovalOver;
}

/** Returns the cents of the refunds that had no approval, without FAILED and WITHDRAWN refunds. */
export function unapprovedOf(refunds: readonly Refund[], approvals: readonly RefundApproval[]): number {
  const isApproved = ({ refundNo, amount }: Refund) =>
    approvals.some((one) => one.refundNo === refundNo && one.amount === amount && one.state === "APPROVED");
  const hasEnded = ({ status }: Refund) => status === "FAILED" || status === "WITHDRAWN";
  return refunds
    .filter((refund) => !hasEnded(refund) && !isApproved(refund))
    .reduce((sum, { amount }) => sum + amount, 0);
}
