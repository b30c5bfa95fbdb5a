import type { Order } from "../orders/order.js";
import type { Refund } from "./refund.js";

/** The limits for adopting a refund that the wallet made and that is not stored yet. */
export interface AdoptableAmount {
  /**
   * The largest amount that can be adopted, in cents.
   *
   * SETTLED refunds do not reduce it, because the wallet did not pay them.
   */
  readonly remaining: number;
  /** Whether the customer may have received the money of a SETTLED refund twice. */
  readonly isPaidTwice: boolean;
}

/**
 * Checks the amount of a refund that the wallet made and that is not stored yet.
 *
 * The customer may be paid twice if a SETTLED refund has the amount of `found`, or if the refunds
 * add up to more than the amount of the order. The stores call this function.
 *
 * @param order - the order before the adoption.
 * @param refunds - the refunds of the order.
 */
export function adoptableAmount(
  { amount, refundedAmount }: Pick<Order, "amount" | "refundedAmount">,
  refunds: readonly Pick<Refund, "amount" | "status">[],
  found: Pick<Refund, "amount">,
): AdoptableAmount {
  const settled = refunds.filter(({ status }) => status === "SETTLED");
  const isAbove = refundedAmount + found.amount > amount;
  return {
    remaining: settled.reduce((cents, one) => cents + one.amount, amount - refundedAmount),
    isPaidTwice: settled.length > 0 && (isAbove || settled.some((one) => one.amount === found.amount)),
  };
}
