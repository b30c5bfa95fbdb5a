import { DAY } from "../shared/date.js";
import type { Order } from "./order.js";

/**
 * Returns whether the payment time that a wallet states is plausible.
 *
 * The clocks of the wallet and of Tillkit may differ by a day. Times are epoch milliseconds.
 */
export function isPlausiblePaymentTime(
  paidAt: number,
  { gmtCreate }: Pick<Order, "gmtCreate">,
  now: number,
): boolean {
  return gmtCreate - DAY <= paidAt && paidAt <= now + DAY;
}
