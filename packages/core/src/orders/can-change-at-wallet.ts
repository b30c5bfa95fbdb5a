import type { Order } from "./order.js";

/** Returns whether the wallet can still change the order. A CLOSE order may have been paid late. */
export function canChangeAtWallet({ paymentStatus }: Pick<Order, "paymentStatus">): boolean {
  return paymentStatus === "PENDING" || paymentStatus === "CLOSE";
}
