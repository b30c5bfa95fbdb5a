import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { pollOrder } from "../orders/poll-order.js";
import type { RefreshPorts } from "../orders/refresh-order.js";
import type { ShipmentPorts } from "../orders/report-shipment.js";
import type { Ports } from "../ports.js";
import { continueApprovedRefunds } from "../refund-approvals/continue-approved.js";
import { pollRefund } from "../refunds/poll-refund.js";
import type { SendRefundPorts } from "../refunds/refund-call.js";
import { attempt } from "../shared/attempt.js";

/** The result of one round. */
export interface Reconciled {
  /** The number of claimed orders. */
  readonly orders: number;
  /** The number of claimed refunds, including approved refunds that were not stored yet. */
  readonly refunds: number;
}

/**
 * Queries the wallets about due orders and refunds, and applies the answers.
 *
 * Covers
 *
 * - PENDING orders, which may become PAID or CLOSE;
 * - orders that were closed while the customer had a payload;
 * - PAID orders whose delivery must be reported;
 * - refunds without a definite outcome; and
 * - approved refunds that are not stored yet, for example because the process stopped.
 *
 * Call it on a timer. Several processes may call it at once; each claims different work. If the
 * result reaches `limit` for orders or refunds, there may be more work.
 *
 * @param limit - The maximum number of orders, of refunds and of approved refunds in this round.
 * @returns how many orders and refunds it claimed. An error of a single order or refund does not
 *   fail the round: the work becomes due again after `policy.workLease`.
 * @example
 * ```ts
 * import { reconcileOrders } from "@tillkit/core";
 *
 * setInterval(() => void reconcileOrders(ports), 5_000);
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-status.md |
 *   The wallet decides whether an order is paid or closed}
 */
export function reconcileOrders(
  ports: RefreshPorts & SendRefundPorts & ShipmentPorts & Pick<Ports, "refundApprovals">,
  limit = 50,
): ResultAsync<Reconciled, StorageFailure> {
  return attempt(async () => {
    const now = ports.clock.now();
    const { workLease } = ports.policy;
    const orders = await ports.orders.claimDue(now, limit, workLease);
    if (orders.isErr()) return orders;
    const refunds = await ports.refunds.claimDue(now, limit, workLease);
    if (refunds.isErr()) return refunds;
    // An error of one order must not stop the others. The order is due again after the lease.
    await Promise.all(orders.value.map((order) => pollOrder(ports, order)));
    await Promise.all(refunds.value.map((refund) => pollRefund(ports, refund)));
    const approvals = await continueApprovedRefunds(ports, limit);
    return approvals.map((count) => ({ orders: orders.value.length, refunds: refunds.value.length + count }));
  });
}
