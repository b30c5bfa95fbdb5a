import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import { refreshOrder, type RefreshPorts } from "../orders/refresh-order.js";
import { keyOf } from "../orders/transition-order.js";
import type { Policy } from "../policy.js";
import { pursueRefund } from "../refunds/pursue-refund.js";
import type { RefundPorts } from "../refunds/refund-attempt.js";
import type { Refund } from "../refunds/refund.js";
import { attempt } from "../shared/attempt.js";

/** What one round did. */
export interface Reconciled {
  /** PENDING orders asked about. */
  readonly orders: number;
  /** Refunds pursued. */
  readonly refunds: number;
}

/**
 * One round of asking the wallets about what is open: due PENDING orders, which may become PAID or CLOSE, orders closed while a payload was out, and refunds without a definite outcome. Call it on a
 * timer; several processes may, each piece of work goes to one of them. A full round (`limit` of either) means that there is more.
 * Source: BEHAVIOUR, "Orders", schedule and refunds.
 */
export function reconcileOrders(
  ports: RefreshPorts & RefundPorts,
  limit = 50,
): ResultAsync<Reconciled, StorageFailure> {
  return attempt(async () => {
    const now = ports.clock.now();
    const { workLease } = ports.policy;
    const ordersResult = await ports.orders.claimDue(now, limit, workLease);
    if (ordersResult.isErr()) return ordersResult;
    const orders = ordersResult.value;
    const refundsResult = await ports.refunds.claimDue(now, limit, workLease);
    if (refundsResult.isErr()) return refundsResult;
    const refunds = refundsResult.value;
    // One order's trouble is not the others': what fails stays due and comes again after the lease.
    await Promise.all(orders.map((order) => reconcileOrder(ports, order)));
    await Promise.all(refunds.map((refund) => reconcileRefund(ports, refund)));
    return ok({ orders: orders.length, refunds: refunds.length });
  });
}

function reconcileOrder(ports: RefreshPorts, order: Order): ResultAsync<void, StorageFailure> {
  return attempt(async () => {
    // Moments that pass while the wallet is silent are ahead of the question: the answer is too old for them.
    const askedAt = ports.clock.now();
    const refreshed = await refreshOrder(ports, order, ports.policy.walletDeadline);
    const status = refreshed.isOk() ? refreshed.value.paymentStatus : order.paymentStatus;
    // A CLOSE order is asked about for a last time; without an answer it comes again after the lease.
    if (refreshed.isOk() && status === "CLOSE" && order.paymentStatus === "CLOSE") {
      const scheduled = await ports.orders.schedule(keyOf(order), undefined);
      if (scheduled.isErr()) return scheduled;
    }
    if (status === "PENDING") {
      const scheduledResult = await ports.orders.schedule(
        keyOf(order),
        nextQueryAt(order, askedAt, ports.policy),
      );
      if (scheduledResult.isErr()) return scheduledResult;
    }
    return ok(undefined);
  });
}

function reconcileRefund(ports: RefundPorts, refund: Refund) {
  return attempt(async () => {
    const orderResult = await ports.orders.find(keyOf(refund));
    if (orderResult.isErr()) return orderResult;
    const order = orderResult.value;
    if (order !== undefined) {
      const pursued = await pursueRefund(ports, order, refund);
      if (pursued.isErr()) return pursued;
    }
    return ok(undefined);
  });
}

/**
 * When a PENDING order that was asked about at `askedAt` is asked about next: at the first age of `policy.querySchedule` it had not reached then, or the
 * moment it can be closed if that is sooner: on a proven answer, then on any. `undefined` when the schedule is over.
 */
export function nextQueryAt(
  { gmtCreate, expiresAt }: Pick<Order, "gmtCreate" | "expiresAt">,
  askedAt: number,
  { querySchedule, expiryMargin, unprovenNoPeriod }: Policy,
): number | undefined {
  const closable = expiresAt + expiryMargin;
  const moments = [...querySchedule.map((age) => gmtCreate + age), closable, closable + unprovenNoPeriod];
  const ahead = moments.filter((moment) => moment > askedAt);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}
