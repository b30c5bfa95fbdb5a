/** The statuses of an order. */
export const PAYMENT_STATUSES = ["PENDING", "PAID", "CLOSE", "REFUND"] as const;
/**
 * The status of an order.
 *
 * | From    | To     | When                                        | Decided by                 |
 * | ------- | ------ | ------------------------------------------- | -------------------------- |
 * | PENDING | PAID   | the wallet reported a matching payment      | `canBecomePaid`            |
 * | CLOSE   | PAID   | a matching payment came late; alarm raised  | `canBecomePaid`            |
 * | PENDING | CLOSE  | the wallet closed it, or does not know it   | `canBecomeClosed`          |
 * | PAID    | REFUND | its refunds reach its amount                | `isRefundedInFull`         |
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
