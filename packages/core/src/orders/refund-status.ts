/**
 * The statuses of a refund. The first four are open: the refund has not ended.
 *
 * | status | meaning |
 * |---|---|
 * | REQUESTED | stored; the wallet has not been called yet |
 * | SENT | sent to the wallet, which has not reported the result |
 * | WAITING_FOR_FUNDS | the merchant's balance is too small; the refund continues after a top-up |
 * | ABNORMAL | the money left the merchant and cannot reach the customer until the merchant acts |
 * | CONFIRMED | final: the wallet has made the refund |
 * | FAILED | the wallet refused or closed it; it may still become CONFIRMED or SETTLED |
 * | WITHDRAWN | an operator withdrew it because the wallet did not have it; never sent again |
 * | SETTLED | final: an operator recorded that the merchant paid the customer by other means |
 */
export const REFUND_STATUSES = [
  "REQUESTED",
  "SENT",
  "WAITING_FOR_FUNDS",
  "ABNORMAL",
  "CONFIRMED",
  "FAILED",
  "WITHDRAWN",
  "SETTLED",
] as const;
/** The status of a refund. */
export type RefundStatus = (typeof REFUND_STATUSES)[number];
