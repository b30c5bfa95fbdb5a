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

/** A parked event that is passed over. */
export interface ParkedEventSkipped {
  /** Absent if the order has no event there any more. */
  readonly event?: OrderEvent;
  /** Where the delivery continues. */
  readonly next: EventPosition;
}

/**
 * Delivers an order's events to a handler again, from the event `fromId`.
 *
 * Without `fromId`, a parked delivery continues with its parked event, and any other begins with
 * the order's first event. The events have the ids that they had before.
 *
 * @returns the position from which the handler receives the events.
 * @example
 * ```ts
 * import { replayEvents } from "@tillkit/core";
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
 * @returns the number of orders.
 * @example
 * ```ts
 * import { replayParkedEvents } from "@tillkit/core";
 *
 * const replayed = await replayParkedEvents(ports, "mailer");
 * ```
 */
export function replayParkedEvents(
  ports: Pick<ReplayPorts, "eventDeliveries" | "clock">,
  handler: string,
): ResultAsync<number, StorageFailure> {
  return attempt(async () => {
    let replayed = 0;
    let after: DeliveryKey | undefined;
    for (;;) {
      const page = await ports.eventDeliveries.list({ handler, state: "parked", after, limit: PAGE });
      if (page.isErr()) return err(page.error);
      for (const delivery of page.value) {
        const stored = await ports.eventDeliveries.replay(delivery, delivery.next, ports.clock.now());
        if (stored.isErr()) return err(stored.error);
        if (stored.value) replayed += 1;
      }
      after = page.value.at(-1);
      if (page.value.length < PAGE) return ok(replayed);
    }
  });
}

/**
 * Passes over the parked event of an order, so that the handler receives the order's later events.
 *
 * The handler does not receive the event, unless it is replayed later.
 *
 * @returns the event. Fails with `delivery.not-parked` if the delivery is not parked.
 * @example
 * ```ts
 * import { skipParkedEvent } from "@tillkit/core";
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
    const found = await ports.eventDeliveries.find(key);
    if (found.isErr()) return err(found.error);
    const delivery = found.value;
    if (delivery?.parkedAt === undefined) return err({ name: "delivery.not-parked" } as const);
    const read = await readDueEvents(ports, key, delivery.next);
    if (read.isErr()) return err(read.error);
    const [parked] = read.value.events;
    const next = parked?.next ?? { seq: delivery.lastSeq + 1, index: 0 };
    const stored = await replayFrom(ports, key, next);
    return stored.map(() => ({ next, ...(parked === undefined ? {} : { event: parked.event }) }));
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
    const found = events.find(({ event }) => event.id === id);
    return found === undefined ? err({ name: "event.not-found" } as const) : ok(found.position);
  });
}

function replayFrom(
  ports: ReplayPorts,
  key: DeliveryKey,
  next: EventPosition,
): ResultAsync<EventPosition, ReplayFailure> {
  return ports.eventDeliveries
    .replay(key, next, ports.clock.now())
    .andThen((stored) => (stored ? ok(next) : err({ name: "delivery.unknown" } as const)));
}
