import { eventWith } from "../orders/event-details.js";
import type { PaymentStatus } from "../orders/payment-status-moves.js";
import type { TimelineEntry } from "../orders/timeline.js";

/**
 * Returns whether a PAID order becomes REFUND, because its whole amount is refunded.
 *
 * The stores call this function. Some statements of the PostgreSQL store repeat the condition in
 * SQL.
 *
 * @param refundedAmount - the refunded cents, including the refund that is being recorded.
 */
export function isRefundedInFull(
  { paymentStatus, amount }: { readonly paymentStatus: PaymentStatus; readonly amount: number },
  refundedAmount: number,
): boolean {
  return paymentStatus === "PAID" && refundedAmount >= amount;
}

/** Returns the timeline entry for the last refund, after which the whole amount is refunded. */
export function refundedInFullEntry(
  proof: Pick<TimelineEntry, "at" | "actor" | "evidence" | "refundNo">,
): TimelineEntry {
  return {
    ...proof,
    ...eventWith("REFUNDED", {}),
    from: "PAID",
    to: "REFUND",
    alarm: false,
  };
}
