/** The statuses of an order. */
export const PAYMENT_STATUSES = ["PENDING", "PAID", "CLOSE", "REFUND"] as const;
/**
 * The status of an order.
 *
 * | From    | To     | When                                        | Decided by                 |
 * | ------- | ------ | ------------------------------------------- | -------------------------- |
 * | PENDING | PAID   | the wallet reported a matching payment      | `canBecomePaid`            |
 * | CLOSE   | PAID   | the same after the closure; raises an alarm | `canBecomePaid`            |
 * | PENDING | CLOSE  | the wallet closed or does not know it       | `canBecomeClosed`          |
 * | PAID    | REFUND | its refunds reach its amount                | {@link isRefundedInFull}   |
 *
 * No other change is possible.
 */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Returns whether a verified payment makes an order with this status PAID. */
export function canBecomePaid(status: PaymentStatus): status is "PENDING" | "CLOSE" {
  return status === "PENDING" || status === "CLOSE";
}

/** Returns whether an order with this status becomes CLOSE when the wallet has closed it. */
export function canBecomeClosed(status: PaymentStatus): status is "PENDING" {
  return status === "PENDING";
}

/**
 * Returns whether a PAID order becomes REFUND, because its whole amount is refunded.
 *
 * The memory store calls this function. The PostgreSQL store has the same condition in its
 * statements.
 *
 * @param refundedAmount - the refunded cents, including the refund that is being recorded.
 */
export function isRefundedInFull(
  { paymentStatus, amount }: { readonly paymentStatus: PaymentStatus; readonly amount: number },
  refundedAmount: number,
): boolean {
  return paymentStatus === "PAID" && refundedAmount >= amount;
}
