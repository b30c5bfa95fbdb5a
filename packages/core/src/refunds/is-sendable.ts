import { isAcceptedRefund, isOpenRefund, type Refund } from "./refund.js";

/**
 * Returns whether a refund may be sent, for the first time or again.
 *
 * It may be sent if it is open, and the wallet has not accepted it. So the number of a WITHDRAWN
 * refund is never sent again.
 *
 * `@tillkit/postgres` repeats the rule in SQL, in `claimSend` and `withdraw`.
 */
export function isSendable(refund: Refund): boolean {
  return isOpenRefund(refund) && !isAcceptedRefund(refund);
}
