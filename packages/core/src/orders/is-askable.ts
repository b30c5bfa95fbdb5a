import type { Order } from "./order.js";

/** Whether the wallet can still move the order: it is PENDING, or CLOSE and may have been paid late. */
export function isAskable({ paymentStatus }: Pick<Order, "paymentStatus">): boolean {
  return paymentStatus === "PENDING" || paymentStatus === "CLOSE";
}
