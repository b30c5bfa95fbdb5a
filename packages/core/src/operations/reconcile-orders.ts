import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { pollOrder } from "../orders/poll-order.js";
import type { RefreshPorts } from "../orders/refresh-order.js";
import { pollRefund } from "../refunds/poll-refund.js";
import type { RefundPorts } from "../refunds/refund-attempt.js";
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
    await Promise.all(orders.map((order) => pollOrder(ports, order)));
    await Promise.all(refunds.map((refund) => pollRefund(ports, refund)));
    return ok({ orders: orders.length, refunds: refunds.length });
  });
}
