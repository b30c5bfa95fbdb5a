import type { Policy } from "../policy.js";
import type { Order } from "./order.js";

/**
 * Returns whether an order expired so long ago that the wallet can no longer take its payment.
 *
 * @param calledAt - when the query began. The response proves nothing about payments after it, so
 *   the time of the response must not be used.
 * @param more - milliseconds to wait in addition to `policy.expiryMargin`.
 */
export function isPastExpiryMargin(
  { expiryMargin }: Policy,
  { expiresAt }: Order,
  calledAt: number,
  more = 0,
): boolean {
  return calledAt >= expiresAt + expiryMargin + more;
}
