import type { Order } from "@tillkit/core";
import type { CommandResult } from "./answer.js";
import { amountText } from "./amount-text.js";

/** Builds the answer for one order. */
export function orderAnswer(order: Order): CommandResult {
  return {
    data: { order: orderData(order) },
    text: `The order ${order.bizNo} (${order.id}) of ${amountText(order.amount)} is ${order.paymentStatus}.`,
  };
}

/** Returns an order without its prepayment and without the customer's id at the wallet. */
export function orderData({
  prepayment: _secret,
  prepaymentClaim: _internal,
  payerId: _personal,
  ...order
}: Order): Omit<Order, "prepayment" | "prepaymentClaim" | "payerId"> {
  return order;
}
