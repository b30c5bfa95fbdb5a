import type { Order } from "@tillkit/core";
import type { CommandResult } from "./answer.js";
import { amountText } from "./amount-text.js";

/** An order as commands print it. A server sends fewer members than a database contains. */
export interface ShownOrder extends Pick<
  Order,
  "appId" | "bizNo" | "id" | "amount" | "paymentStatus" | "gmtCreate"
> {
  readonly payChannel: string;
}

/** An order in a list. */
export interface ListedOrder extends ShownOrder {
  /** Whether the order has an alarm that no operator has acknowledged. */
  readonly hasAlarm: boolean;
}

/** Builds the answer for one order. */
export function orderAnswer(order: ShownOrder): CommandResult {
  return {
    data: { order },
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
