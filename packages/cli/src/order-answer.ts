import type { Order } from "@tillkit/core";
import type { Answer } from "./answer.js";

/** One order as an answer. */
export function orderAnswer(order: Order): Answer {
  return {
    data: { order: orderData(order) },
    text: `The order ${order.bizNo} (${order.id}) over ${order.amount} cents is ${order.paymentStatus}.`,
  };
}

/** An order as it may be seen: without what opens its payment and without the customer's id at the wallet. */
export function orderData({
  prepayment: _secret,
  prepaymentClaim: _internal,
  payerId: _personal,
  ...order
}: Order) {
  return order;
}
