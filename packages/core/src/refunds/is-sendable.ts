import { isAcceptedRefund, isOpenRefund, type Refund } from "./refund.js";

/**
 * Returns whether a refund may be sent, or sent again: it is open, and the wallet has not accepted
 * it. A withdrawn refund can never be sent.
 *
 * `@tillkit/postgres` repeats the rule in SQL, in `claimSend` and `withdraw`.
 */
export function isSendable(refund: Refund): boolean {
  return isOpenRefund(refund) && !isAcceptedRefund(refund);
}
