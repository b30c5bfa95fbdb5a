import { err, ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { attempt } from "../shared/attempt.js";
import type { ReplayPorts } from "./delivery-ports.js";
import type { DeliveryKey } from "./event-delivery-store.js";
import type { EventPosition, OrderEvent } from "./order-event.js";
import { readDueEvents } from "./read-due-events.js";

/** The position of an order's first event. */
const FIRST: EventPosition = { seq: 1, index: 0 };
/** The number of deliveries that one query reads. */
const PAGE = 100;

/**
 * Why events were not replayed or skipped.
 *
 * - `event.not-found`: the order has no such event.
 * - `delivery.unknown`: the order does not exist, or no handler with this name is registered.
 * - `delivery.not-parked`: the delivery is not parked.
 */
export type ReplayFailure =
  { readonly name: "event.not-found" | "delivery.unknown" | "delivery.not-parked" } | StorageFailure;

/** The result of {@link skipParkedEvent}. */
export interface ParkedEventSkipped {
  /** Absent if the order no longer has an event at the parked position. */
  readonly event?: OrderEvent;
  /** Where the delivery continues. */
  readonly next: EventPosition;
}

/**
 * Delivers an order's events to a handler again, from the event `fromId`.
 *
 * Without `fromId`, a parked delivery continues with its parked event, and any other delivery
 * begins with the order's first event. The events have the same ids as before.
 *
 * @returns the position from which the handler receives the events.
 * @example
 * ```ts
 * import { replayEvents } from "@tillkit/core/operators";
 *
 * const key = { handler: "mailer", appId: "app_1", bizNo: "order-1001" };
 * const replayed = await replayEvents(ports, key);
 * ```
 */
export function replayEvents(
  ports: ReplayPorts,
  key: DeliveryKey,
  fromId?: string,
): ResultAsync<EventPosition, ReplayFailure> {
  return attempt(async () => {
    const start = fromId === undefined ? await startOf(ports, key) : await positionOf(ports, key, fromId);
    if (start.isErr()) return err(start.error);
    return replayFrom(ports, key, start.value);
  });
}

/**
 * Delivers the parked events of a handler again, for every order.
 *
 * @returns the number of orders whose delivery to the handler continues.
 * @example
 * ```ts
 * import { replayParkedEvents } from "@tillkit/core/operators";
 *
 * const replayed = await replayParkedEvents(ports, "mailer");
 * ```
 */
export function replayParkedEvents(
  ports: Pick<ReplayPorts, "eventDeliveries" | "clock">,
  handler: string,
): ResultAsync<number, StorageFailure> {
  return attempt(async () => {
    let count = 0;
    let after: DeliveryKey | undefined;
    for (;;) {
      const page = await ports.eventDeliveries.list({ handler, state: "parked", after, limit: PAGE });
      if (page.isErr()) return err(page.error);
      for (const delivery of page.value) {
        const isStored = await ports.eventDeliveries.replay(delivery, delivery.next, ports.clock.now());
        if (isStored.isErr()) return err(isStored.error);
        if (isStored.value) count += 1;
      }
      after = page.value.at(-1);
      if (page.value.length < PAGE) return ok(count);
    }
  });
}

/**
 * Passes over the parked event of an order, so that the handler receives the order's later events.
 *
 * The handler does not receive the event, unless it is replayed later.
 *
 * @returns the event and the position after the event. Fails with `delivery.not-parked` if the
 *   delivery is not parked.
 * @example
 * ```ts
 * import { skipParkedEvent } from "@tillkit/core/operators";
 *
 * const key = { handler: "mailer", appId: "app_1", bizNo: "order-1001" };
 * const skipped = await skipParkedEvent(ports, key);
 * ```
 */
export function skipParkedEvent(
  ports: ReplayPorts,
  key: DeliveryKey,
): ResultAsync<ParkedEventSkipped, ReplayFailure> {
  return attempt(async () => {
    const delivery = await ports.eventDeliveries.find(key);
    if (delivery.isErr()) return err(delivery.error);
    if (delivery.value?.parkedAt === undefined) return err({ name: "delivery.not-parked" } as const);
    const due = await readDueEvents(ports, key, delivery.value.next);
    if (due.isErr()) return err(due.error);
    const [dueEvent] = due.value.events;
    const next = dueEvent?.next ?? { seq: delivery.value.lastSeq + 1, index: 0 };
    const position = await replayFrom(ports, key, next);
    return position.map(() => ({ next, ...(dueEvent === undefined ? {} : { event: dueEvent.event }) }));
  });
}

function startOf(ports: ReplayPorts, key: DeliveryKey): ResultAsync<EventPosition, ReplayFailure> {
  return ports.eventDeliveries
    .find(key)
    .map((delivery) => (delivery?.parkedAt === undefined ? FIRST : delivery.next));
}

function positionOf(
  ports: ReplayPorts,
  key: DeliveryKey,
  id: string,
): ResultAsync<EventPosition, ReplayFailure> {
  return readDueEvents(ports, key, FIRST).andThen(({ events }) => {
    const match = events.find(({ event }) => event.id === id);
    return match === undefined ? err({ name: "event.not-found" } as const) : ok(match.position);
  });
}

function replayFrom(
  ports: ReplayPorts,
  key: DeliveryKey,
  next: EventPosition,
): ResultAsync<EventPosition, ReplayFailure> {
  return ports.eventDeliveries
    .replay(key, next, ports.clock.now())
    .andThen((isStored) => (isStored ? ok(next) : err({ name: "delivery.unknown" } as const)));
}
