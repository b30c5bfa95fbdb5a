import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { keyOf, type Order } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { OrderRecord } from "./order-differences.js";
import { isOpenRefund, outRefundNo, type Refund } from "./refund.js";

const PAGE = 100;

/**
 * Returns the cents of an order that are neither refunded nor reserved by an open refund.
 *
 * @returns the cents. Can be negative.
 * @example
 * ```ts
 * import type { Order, Refund } from "@tillkit/core";
 * import { remainingOf } from "@tillkit/core/ports";
 *
 * declare const order: Order;
 * declare const refunds: readonly Refund[];
 *
 * const remaining = remainingOf(order, refunds);
 * ```
 */
export function remainingOf(
  { amount, refundedAmount }: Pick<Order, "amount" | "refundedAmount">,
  refunds: readonly Refund[],
): number {
  return refunds.filter(isOpenRefund).reduce((rest, refund) => rest - refund.amount, amount - refundedAmount);
}

/** The next step of a refund: storing it, sending it again, or settling it by other means. */
type RefundStep = "store" | "send" | "settle";

/**
 * Returns whether a refund of an order with a settlement fits into the rest of the order.
 *
 * A wallet refunds no more than it received for an order, but it does not know what the merchant
 * paid by other means (a settlement). So if the order has a settlement, or is about to get one, the
 * refunds that only a bill lists count as used. There are two simpler cases:
 *
 * - Without a settlement, a refund to store or send fits here: the wallet refuses a refund that is
 *   too large.
 * - If there are no refunds that only a bill lists, a refund to store or settle fits here: the
 *   store checks its amount. The amount of a refund that is sent again is checked here also in this
 *   case, because another refund may have been adopted since.
 *
 * The refund itself does not count as used. Storing an existing refund again changes nothing, so an
 * existing refund always fits. A refund that is FAILED, WITHDRAWN or ABNORMAL does not fit while a
 * bill lists its number.
 *
 * The caller read the refunds before this call. To store a refund, the function uses the order that
 * was read together with the refunds, because the store refuses the refund if anything has changed
 * since. The other steps read the order after the exceptions. So a refund that is adopted in the
 * meantime may count twice, but is never left out.
 */
export function fitsBesideSettlement(
  ports: Pick<Ports, "orders" | "billExceptions">,
  { order, refunds }: Pick<OrderRecord, "order" | "refunds">,
  refund: Pick<Refund, "refundNo" | "amount">,
  step: RefundStep,
): ResultAsync<{ readonly fits: boolean; readonly remaining: number }, StorageFailure> {
  return attempt(async () => {
    const others = refunds.filter(({ refundNo }) => refundNo !== refund.refundNo);
    const isSettled = others.some(({ status }) => status === "SETTLED");
    const isStored = others.length < refunds.length;
    if ((step === "store" && isStored) || (step !== "settle" && !isSettled))
      return ok({ fits: true, remaining: order.amount });
    // A bill that lists an ended or ABNORMAL refund shows that the wallet has made it.
    const counts = (one: Refund) => one.refundNo !== refund.refundNo || one.status !== "ABNORMAL";
    const relevant = step === "settle" ? refunds.filter(counts) : [...refunds, refund];
    const extra = await unrecordedRefunds(ports, order, relevant);
    if (extra.isErr()) return extra;
    const current = step === "store" ? ok(order) : await ports.orders.find(keyOf(order));
    if (current.isErr()) return current;
    const isMade = extra.value.some(({ refundNo }) => refundNo === outRefundNo(order, refund));
    const left = remainingOf(current.value ?? order, others) - centsOf(extra.value);
    const remaining = isMade ? 0 : Math.max(0, left);
    const isLeftToStore = step !== "send" && extra.value.length === 0;
    return ok({ fits: isLeftToStore || refund.amount <= remaining, remaining });
  });
}

/**
 * Returns the cents that an operator can refund: the rest, less the refunds that only a bill lists.
 *
 * @returns the cents, at least 0.
 * @example
 * ```ts
 * import type { Order } from "@tillkit/core";
 * import { remainingForOperator } from "@tillkit/core/operators";
 *
 * declare const order: Order;
 *
 * const refunds = await ports.refunds.list(order);
 * const remaining = await refunds.asyncAndThen((listed) =>
 *   remainingForOperator(ports, order, listed),
 * );
 * ```
 */
export function remainingForOperator(
  ports: Pick<Ports, "billExceptions">,
  order: Order,
  refunds: readonly Refund[],
): ResultAsync<number, StorageFailure> {
  return unrecordedRefunds(ports, order, refunds).map((extra) =>
    Math.max(0, remainingOf(order, refunds) - centsOf(extra)),
  );
}

/** A refund that a bill lists, as in a `BillException`. */
interface ListedRefund {
  readonly kind: string;
  readonly refundNo?: string;
  readonly amountThere?: number;
}

/**
 * Returns the refunds among `exceptions` that are not stored yet.
 *
 * A listed refund with the number of an open or CONFIRMED refund is left out, because that refund
 * already counts. A listed refund with the number of a SETTLED refund is returned, because its
 * money moved twice.
 *
 * @param exceptions - Open exceptions of the order.
 */
export function unrecordedIn(
  exceptions: readonly ListedRefund[],
  order: Order,
  refunds: readonly Partial<Refund>[],
): readonly ListedRefund[] {
  const numbers = new Set(
    refunds
      .filter(({ status = "REQUESTED" }) => !["FAILED", "WITHDRAWN", "SETTLED"].includes(status))
      .map(({ refundNo = "" }) => outRefundNo(order, { refundNo })),
  );
  return exceptions.filter(({ kind, refundNo = "" }) => kind === "REFUND_NOT_HERE" && !numbers.has(refundNo));
}

/** Returns the cents of refunds that bills list. */
export function centsOf(listed: readonly ListedRefund[]): number {
  return listed.reduce((cents, { amountThere = 0 }) => cents + amountThere, 0);
}

/** Like {@link unrecordedIn}, for every open exception of the order. */
function unrecordedRefunds(
  { billExceptions }: Pick<Ports, "billExceptions">,
  order: Order,
  refunds: readonly Partial<Refund>[],
): ResultAsync<readonly ListedRefund[], StorageFailure> {
  const open = { state: "OPEN", kind: "REFUND_NOT_HERE", outTradeNo: order.id, limit: PAGE } as const;
  return attempt(async () => {
    const listed: ListedRefund[] = [];
    let page = await billExceptions.list(open);
    for (;;) {
      if (page.isErr()) return page;
      listed.push(...unrecordedIn(page.value.items, order, refunds));
      const { next } = page.value;
      if (next === undefined) return ok(listed);
      page = await billExceptions.list({ ...open, before: next });
    }
  });
}
