import type { Policy } from "../policy.js";
import type { Order } from "./order.js";

/**
 * Returns whether an order has expired, and the wallet can no longer take its payment.
 *
 * @param calledAt - when the query began. The response proves nothing about later payments, so the
 *   time after the response must not count.
 */
export function isPastExpiryMargin(
  { expiryMargin }: Policy,
  { expiresAt }: Order,
  calledAt: number,
  more = 0,
): boolean {
  return calledAt >= expiresAt + expiryMargin + more;
}
