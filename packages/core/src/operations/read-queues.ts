import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import type { DueWork } from "../shared/due-work.js";
import { attempt } from "../shared/attempt.js";

/** What waits: for `reconcileOrders`, and for an operator. */
export interface Queues {
  /** Orders to be asked about at their wallet. */
  readonly orders: DueWork;
  /** Refunds to be pursued. */
  readonly refunds: DueWork;
  /** Differences between bills and the record that are OPEN: each has waited since it was first found. */
  readonly billExceptions: DueWork;
}

/**
 * How many orders, refunds and exceptions of bills wait now and since when the oldest does, for metrics and alerts. Each is counted up to `atMost`, so that a
 * long queue is no dearer to watch than a short one. What a worker has claimed is not due until its lease is over.
 */
export function readQueues(
  ports: Pick<Ports, "orders" | "refunds" | "billExceptions" | "clock">,
  atMost = 1_000,
): ResultAsync<Queues, StorageFailure> {
  return attempt(async () => {
    const now = ports.clock.now();
    const ordersResult = await ports.orders.dueSince(now, atMost);
    if (ordersResult.isErr()) return ordersResult;
    const orders = ordersResult.value;
    const refundsResult = await ports.refunds.dueSince(now, atMost);
    if (refundsResult.isErr()) return refundsResult;
    const refunds = refundsResult.value;
    const billExceptionsResult = await ports.billExceptions.openSince(atMost);
    if (billExceptionsResult.isErr()) return billExceptionsResult;
    const billExceptions = billExceptionsResult.value;
    return ok({ orders, refunds, billExceptions });
  });
}
