import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { keyOf, type Order } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { isOpenRefund, outRefundNo, type Refund } from "./refund.js";

const PAGE = 100;

/** Returns the cents that are neither refunded nor reserved by an open refund. Can be negative. */
export function remainingOf(
  { amount, refundedAmount }: Pick<Order, "amount" | "refundedAmount">,
  refunds: readonly Refund[],
): number {
  return refunds.filter(isOpenRefund).reduce((left, refund) => left - refund.amount, amount - refundedAmount);
}

/** What is about to happen to a refund: it is stored, sent again, or settled by other means. */
type RefundStep = "store" | "send" | "settle";

/**
 * Returns whether the amount of a refund is left of its order beside a settlement, and what is.
 *
 * A wallet refunds no more than it received for an order. It does not know what the merchant paid
 * by other means. So beside a settlement, what a bill lists and the record does not have yet is
 * used as well. Without a settlement, and without such a refund, the store and the wallet decide.
 *
 * A refund takes nothing from itself. To store one that is stored changes nothing.
 */
export function fitsBesideSettlement(
  ports: Pick<Ports, "orders" | "refunds" | "billExceptions">,
  order: Order,
  refund: Pick<Refund, "refundNo" | "amount">,
  step: RefundStep,
): ResultAsync<{ readonly fits: boolean; readonly remaining: number }, StorageFailure> {
  return attempt(async () => {
    const listed = await ports.refunds.list(keyOf(order));
    if (listed.isErr()) return listed;
    const others = listed.value.filter(({ refundNo }) => refundNo !== refund.refundNo);
    const isSettled = others.some(({ status }) => status === "SETTLED");
    const isStored = others.length < listed.value.length;
    if ((step === "store" && isStored) || (step !== "settle" && !isSettled))
      return ok({ fits: true, remaining: order.amount });
    // A bill that lists the number of a refund to settle shows that the wallet has made it.
    const known = step === "settle" ? listed.value : [...listed.value, refund];
    const unrecorded = await unrecordedRefunds(ports, order, known);
    if (unrecorded.isErr()) return unrecorded;
    const current = await ports.orders.find(keyOf(order));
    if (current.isErr()) return current;
    const remaining = Math.max(0, remainingOf(current.value ?? order, others) - unrecorded.value);
    return ok({ fits: unrecorded.value === 0 || refund.amount <= remaining, remaining });
  });
}

/**
 * Returns the cents of the order's refunds that a bill lists and the record does not have yet.
 *
 * A refund that the wallet may have made for the record is not added again. If the wallet made one
 * that was settled, the money moved twice.
 */
function unrecordedRefunds(
  { billExceptions }: Pick<Ports, "billExceptions">,
  order: Order,
  refunds: readonly Partial<Refund>[],
): ResultAsync<number, StorageFailure> {
  const known = new Set(
    refunds
      .filter(({ status = "REQUESTED" }) => !["FAILED", "WITHDRAWN", "SETTLED"].includes(status))
      .map(({ refundNo = "" }) => outRefundNo(order, { refundNo })),
  );
  const open = { state: "OPEN", kind: "REFUND_NOT_HERE", outTradeNo: order.id, limit: PAGE } as const;
  return attempt(async () => {
    let cents = 0;
    let page = await billExceptions.list(open);
    for (;;) {
      if (page.isErr()) return page;
      for (const { refundNo = "", amountThere = 0 } of page.value.items)
        if (!known.has(refundNo)) cents += amountThere;
      const { next } = page.value;
      if (next === undefined) return ok(cents);
      page = await billExceptions.list({ ...open, before: next });
    }
  });
}
