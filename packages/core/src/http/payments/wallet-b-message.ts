import type { Order } from "../../orders/order.js";

/** Returns `message`, which only the success of a WALLET_B order's creation has. */
export function walletBMessage({ payChannel }: Pick<Order, "payChannel">): { readonly message?: "success" } {
  return payChannel === "WALLET_B" ? { message: "success" } : {};
}
