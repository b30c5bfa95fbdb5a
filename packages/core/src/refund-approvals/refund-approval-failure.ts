import { type Err, err } from "neverthrow";
import type { OrderActivity } from "./order-activity.js";

/**
 * Reasons why an operator's request or decision about a refund failed.
 *
 * - `refund.over-support-limit`: the operator's role may not refund this amount.
 * - `refund.unseen-activity`: others have started something for the order that the operator has not
 *   seen. Show it to the operator, who can then confirm the request again.
 * - `refund-approval.not-found`: there is no approval with this id in the operator's apps.
 * - `refund-approval.own`: the operator requested the refund. Another operator must decide.
 * - `refund-approval.one-person`: the two operators count as one person. One of them recently gave
 *   the other one rights, or a third operator recently gave rights to both. See
 *   `policy.approverCoolingOff`.
 * - `refund-approval.decided`: the request is already approved or rejected.
 * - `refund-approval.rejected`: the refund with this number was rejected. Use another number.
 */
export type RefundApprovalFailureName =
  | "refund.over-support-limit"
  | "refund.unseen-activity"
  | "refund-approval.not-found"
  | "refund-approval.own"
  | "refund-approval.one-person"
  | "refund-approval.decided"
  | "refund-approval.rejected";

/** A failure of the functions about refunds of operators. */
export type RefundApprovalFailure<N extends RefundApprovalFailureName = RefundApprovalFailureName> =
  N extends "refund-approval.one-person"
    ? OnePersonFailure
    : N extends "refund.unseen-activity"
      ? UnseenActivityFailure
      : { readonly name: N };

/** The failure `refund.unseen-activity`. */
export interface UnseenActivityFailure {
  readonly name: "refund.unseen-activity";
  /** Everything that is open for the order now. */
  readonly activity: OrderActivity;
}

/** The failure `refund-approval.one-person`. */
export interface OnePersonFailure {
  readonly name: "refund-approval.one-person";
  /** Until when the operators count as one person, epoch milliseconds. */
  readonly until: number;
}

/** Returns an `Err` with the failure `name`. */
export function failApproval<
  N extends Exclude<RefundApprovalFailureName, "refund-approval.one-person" | "refund.unseen-activity">,
>(name: N): Err<never, { readonly name: N }> {
  return err({ name });
}

/** Returns an `Err` with everything that is open. */
export function failUnseen(activity: OrderActivity): Err<never, UnseenActivityFailure> {
  return err({ name: "refund.unseen-activity", activity });
}
