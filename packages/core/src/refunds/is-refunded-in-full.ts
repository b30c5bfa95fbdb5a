import type { Order } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";

/**
 * Returns whether a PAID order becomes REFUND, because its whole amount is refunded.
 *
 * The memory store calls this function. The PostgreSQL store has the same condition in its
 * statements.
 *
 * @param refundedAmount - The refunded cents, including the refund that is being recorded.
 */
export function isRefundedInFull(
  { paymentStatus, amount }: Pick<Order, "paymentStatus" | "amount">,
  refundedAmount: number,
): boolean {
  return paymentStatus === "PAID" && refundedAmount >= amount;
}

/** Returns the timeline entry for the refund that completes the order's whole amount. */
export function refundedInFullEntry(
  proof: Pick<TimelineEntry, "at" | "actor"> & { readonly evidence?: string },
): TimelineEntry {
  return {
    ...proof,
    type: "REFUNDED",
    reason: "the whole amount is refunded",
    from: "PAID",
    to: "REFUND",
    alarm: false,
  };
}
