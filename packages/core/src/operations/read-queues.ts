import type { ResultAsync } from "neverthrow";
import type { OpenExceptions } from "../bills/bill-exception-store.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import type { DueWork } from "../shared/due-work.js";
import { attempt } from "../shared/attempt.js";

/** The amounts of work that wait for background tasks and for an operator. */
export interface Queues {
  /** Orders that are due for a query of their wallet, or for a report of their shipment. */
  readonly orders: DueWork;
  /** Refunds that are due for a query or a retry. */
  readonly refunds: DueWork;
  /** OPEN differences in bills, due since they were first found. */
  readonly billExceptions: DueWork;
  /** Due deliveries of events, over all handlers. */
  readonly events: DueWork;
  /** Deliveries that were parked after their last attempt, and wait for an operator. */
  readonly parkedEvents: DueWork;
}

/**
 * Counts the waiting orders, refunds, bill exceptions and events, for metrics and alerts.
 *
 * Also returns since when the oldest item of each queue waits. Work that a worker has claimed is
 * not due until the claim expires.
 *
 * @param atMost - The limit of each count, which keeps the cost independent of the queue's length.
 * @returns the number of items in each queue, and the time since which the oldest item is due.
 * @example
 * ```ts
 * import { readQueues } from "@tillkit/core/operators";
 *
 * const queues = await readQueues(ports);
 * if (queues.isOk()) console.log(queues.value.orders, queues.value.refunds);
 * ```
 */
export function readQueues(
  ports: DueQueuePorts & Pick<Ports, "billExceptions">,
  atMost = 1_000,
): ResultAsync<Queues, StorageFailure> {
  return attempt(async () => {
    const due = await readDueQueues(ports, atMost);
    if (due.isErr()) return due;
    const exceptions = await ports.billExceptions.openByKind(atMost);
    return exceptions.map((kinds) => ({ ...due.value, billExceptions: dueWorkOf(kinds) }));
  });
}

/** The queues without the exceptions of bills. */
export type DueQueues = Omit<Queues, "billExceptions">;

/** The ports that {@link readDueQueues} uses. */
export type DueQueuePorts = Pick<Ports, "orders" | "refunds" | "eventDeliveries" | "clock">;

/** Counts the waiting orders, refunds and events, each up to `atMost`. */
export function readDueQueues(ports: DueQueuePorts, atMost: number): ResultAsync<DueQueues, StorageFailure> {
  return attempt(async () => {
    const now = ports.clock.now();
    const orders = await ports.orders.dueSince(now, atMost);
    if (orders.isErr()) return orders;
    const refunds = await ports.refunds.dueSince(now, atMost);
    if (refunds.isErr()) return refunds;
    const events = await ports.eventDeliveries.dueSince(now, atMost);
    if (events.isErr()) return events;
    const deliveries = await ports.eventDeliveries.parkedSince(atMost);
    return deliveries.map((parkedEvents) => ({
      orders: orders.value,
      refunds: refunds.value,
      events: events.value,
      parkedEvents,
    }));
  });
}

/** Adds up the exceptions of all kinds. */
function dueWorkOf(kinds: readonly OpenExceptions[]): DueWork {
  const due = kinds.reduce((sum, { count }) => sum + count, 0);
  return due === 0 ? { due } : { due, oldestDueAt: Math.min(...kinds.map(({ oldestAt }) => oldestAt)) };
}
