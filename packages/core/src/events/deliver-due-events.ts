import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { attempt } from "../shared/attempt.js";
import { newId } from "../shared/random.js";
import { deliverEvents } from "./deliver-events.js";
import type { DeliveryPorts } from "./delivery-ports.js";
import type { EventHandler } from "./event-handler.js";
import type { StartTimer } from "./within-deadline.js";

/** The options of {@link deliverDueEvents}. */
export interface DeliverDueEventsOptions {
  /**
   * The maximum number of orders that one call claims and works on concurrently. Defaults to 20.
   */
  readonly limit?: number;
  /** Starts the timers of the deadlines, for example with `setTimeout`. */
  readonly startTimer: StartTimer;
}

/** The result of one call of {@link deliverDueEvents}. */
export interface DeliveredEvents {
  /** The number of claimed orders. */
  readonly orders: number;
  /** The number of events that the handler has handled. */
  readonly delivered: number;
  /**
   * The number of orders whose delivery stopped: the handler or the storage failed, or the claim
   * was lost or about to expire.
   */
  readonly failed: number;
  /** The first failure of the storage. Tillkit tries the order again after its claim expires. */
  readonly failure?: StorageFailure;
}

/**
 * Delivers due events to one handler: one order's events in sequence, several orders concurrently.
 *
 * Call it on a timer. Several processes may call it at once; each claims different orders. If the
 * handler fails or does not end before `policy.eventDeadline`, Tillkit tries the same event again
 * after a pause of `policy.eventRetryPauses`. After `policy.eventTries` failed attempts, the
 * delivery is parked until an operator replays or skips the event. The handler must be registered:
 * see `EventDeliveryStore.registerHandler`.
 *
 * @returns the numbers of claimed orders and delivered events. If `orders` equals `limit`, more
 *   orders may be due. A failure of one order does not fail the call: `failed` counts the order.
 * @example
 * ```ts
 * import { deliverDueEvents, eventHandler } from "@tillkit/core";
 *
 * const handler = eventHandler({ name: "audit", handle: async (event) => console.log(event.id) });
 * const startTimer = (ms: number, run: () => void) => {
 *   const timer = setTimeout(run, ms);
 *   return () => clearTimeout(timer);
 * };
 * const round = await deliverDueEvents(ports, handler, { startTimer });
 * ```
 */
export function deliverDueEvents(
  ports: DeliveryPorts,
  handler: EventHandler,
  { limit = 20, startTimer }: DeliverDueEventsOptions,
): ResultAsync<DeliveredEvents, StorageFailure> {
  return attempt(async () => {
    const now = ports.clock.now();
    const { workLease, eventDeadline } = ports.policy;
    const deliveries = await ports.eventDeliveries.claimDue(handler.name, {
      id: newId(ports),
      now,
      lease: eventDeadline + workLease,
      limit,
    });
    if (deliveries.isErr()) return deliveries;
    // A failure of one order must not stop the others. A later call tries the failed order again.
    const results = await Promise.all(
      deliveries.value.map((delivery) => deliverEvents(ports, handler, delivery, startTimer)),
    );
    const failure = results.find((one) => one.failure !== undefined)?.failure;
    return ok({
      orders: results.length,
      delivered: results.reduce((sum, { delivered }) => sum + delivered, 0),
      failed: results.filter(({ stopped }) => stopped).length,
      ...(failure === undefined ? {} : { failure }),
    });
  });
}
