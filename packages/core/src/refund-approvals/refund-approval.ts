import type { Refund } from "../refunds/refund.js";

/**
 * The states of a refund request that needs a second operator.
 *
 * - WAITING: no operator has decided yet. The amount is not reserved.
 * - APPROVED: a second operator agreed, and Tillkit makes the refund.
 * - REJECTED: final. `requestRefund` refuses this refund number.
 */
export const REFUND_APPROVAL_STATES = ["WAITING", "APPROVED", "REJECTED"] as const;
/** The state of a {@link RefundApproval}. */
export type RefundApprovalState = (typeof REFUND_APPROVAL_STATES)[number];

/** An order and the number of one of its refunds. */
export type RefundKey = Pick<Refund, "appId" | "bizNo" | "refundNo">;

/** A refund that one operator requested and a second operator must approve. */
export interface RefundApproval extends RefundKey {
  /** Unique among all apps. */
  readonly id: string;
  /** Cents. */
  readonly amount: number;
  readonly reason: string;
  /** The name of the operator who requested the refund. */
  readonly requestedBy: string;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
  readonly state: RefundApprovalState;
  /** The name of the operator who decided. Absent while WAITING. */
  readonly decidedBy?: string;
  /** Epoch milliseconds. Absent while WAITING. */
  readonly decidedAt?: number;
  /** The reason of the decision. Absent while WAITING. */
  readonly note?: string;
  /**
   * When the reconciler makes the refund of an APPROVED request, epoch milliseconds.
   *
   * Absent once the refund is stored, or has definitely failed.
   */
  readonly nextTryAt?: number;
  /** The name of the definite failure of an APPROVED refund. Absent if it did not fail. */
  readonly failure?: string;
}
