import type { Order } from "@tillkit/core";
import type { Answer } from "./answer.js";

/** One order as an answer. */
export function orderAnswer(order: Order): Answer {
  return {
    data: { order: orderData(order) },
    text: `The order ${order.bizNo} (${order.id}) over ${order.amount} cents is ${order.paymentStatus}.`,
  };
}

/** An order as it may be seen: without what opens its payment. */
export function orderData({ prepayment: _secret, prepaymentClaim: _internal, ...order }: Order) {
  return order;
}
