import type { ResultAsync } from "neverthrow";
import type { OpenExceptions } from "../bills/bill-exception-store.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import type { DueWork } from "../shared/due-work.js";
import { attempt } from "../shared/attempt.js";

/** The amounts of work that wait for background tasks and for an operator. */
export interface Queues {
  /** Orders that are due for a query of their wallet. */
  readonly orders: DueWork;
  /** Refunds that are due for a query or a retry. */
  readonly refunds: DueWork;
  /** OPEN differences in bills, due since they were first found. */
  readonly billExceptions: DueWork;
  /** Deliveries of events to handlers that are due, over all handlers. */
  readonly events: DueWork;
  /** Deliveries that were parked after their last attempt, and wait for an operator. */
  readonly parkedEvents: DueWork;
}

/**
 * Counts the waiting orders, refunds, bill exceptions and events, for metrics and alerts.
 *
 * Also returns since when the oldest one waits. Work that a worker has claimed is not due until the
 * claim expires.
 *
 * @param atMost - The limit of each count, which keeps the cost independent of the queue's length.
 * @returns the number of items in each queue, and the time since which the oldest one is due.
 * @example
 * ```ts
 * import { readQueues } from "@tillkit/core";
 *
 * const queues = await readQueues(ports);
 * if (queues.isOk()) console.log(queues.value.orders, queues.value.refunds);
 * ```
 */
export function readQueues(
  ports: Pick<Ports, "orders" | "refunds" | "billExceptions" | "eventDeliveries" | "clock">,
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
    const exceptions = await ports.billExceptions.openByKind(atMost);
    if (exceptions.isErr()) return exceptions;
    const billExceptions = dueWorkOf(exceptions.value);
    const eventsResult = await ports.eventDeliveries.dueSince(now, atMost);
    if (eventsResult.isErr()) return eventsResult;
    const parkedResult = await ports.eventDeliveries.parkedSince(atMost);
    return parkedResult.map((parkedEvents) => {
      return { orders, refunds, billExceptions, events: eventsResult.value, parkedEvents };
    });
  });
}

/** Adds up the exceptions of all kinds. */
function dueWorkOf(kinds: readonly OpenExceptions[]): DueWork {
  const due = kinds.reduce((sum, { count }) => sum + count, 0);
  return due === 0 ? { due } : { due, oldestDueAt: Math.min(...kinds.map(({ oldestAt }) => oldestAt)) };
}
