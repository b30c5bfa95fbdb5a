import { type Err, err } from "neverthrow";

/**
 * Why a refund of an operator was neither made nor decided.
 *
 * - `refund.over-support-limit`: the role of the operator may not refund this amount of the order.
 * - `refund-approval.not-found`: there is no approval with this id in the operator's apps.
 * - `refund-approval.own`: the operator requested the refund. Another operator must decide.
 * - `refund-approval.decided`: the request is already approved or rejected.
 * - `refund-approval.rejected`: the refund with this number was rejected. Use another number.
 */
export type RefundApprovalFailureName =
  | "refund.over-support-limit"
  | "refund-approval.not-found"
  | "refund-approval.own"
  | "refund-approval.decided"
  | "refund-approval.rejected";

/** A failure of the functions about refunds of operators. */
export interface RefundApprovalFailure<N extends RefundApprovalFailureName = RefundApprovalFailureName> {
  readonly name: N;
}

/** Returns an `Err` with the failure `name`. */
export function failApproval<N extends RefundApprovalFailureName>(
  name: N,
): Err<never, RefundApprovalFailure<N>> {
  return err({ name });
}
