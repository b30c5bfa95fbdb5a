import type { Order } from "./order.js";

/**
 * Returns whether the wallet can still change the order. The customer may pay a CLOSE order late.
 */
export function canChangeAtWallet({ paymentStatus }: Pick<Order, "paymentStatus">): boolean {
  return paymentStatus === "PENDING" || paymentStatus === "CLOSE";
}
