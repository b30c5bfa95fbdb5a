import { err, ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { keyOf, type OrderKey } from "../orders/order.js";
import { attempt } from "../shared/attempt.js";
import type { EventReadPorts } from "./delivery-ports.js";
import type { EventPosition, OrderEvent, OrderEventType } from "./order-event.js";
import { orderEvent, placedEvents } from "./order-events.js";

/** An event with its place among the events of its order. */
export interface DueEvent {
  readonly event: OrderEvent;
  readonly position: EventPosition;
  /** The position of the next event. */
  readonly next: EventPosition;
}

/** The events of an order from a position. */
export interface DueEvents {
  readonly events: readonly DueEvent[];
  /**
   * The position after all events of the order, including events that `types` does not select.
   * Absent if the order has no events from the position on.
   */
  readonly end?: EventPosition;
}

/**
 * Reads the events of an order from a position on. `types` selects events. By default, all.
 *
 * Returns no events if the order does not exist.
 */
export function readDueEvents(
  ports: EventReadPorts,
  key: OrderKey,
  from: EventPosition,
  types?: readonly OrderEventType[],
): ResultAsync<DueEvents, StorageFailure> {
  return attempt(async () => {
    const order = await ports.orders.find(keyOf(key));
    if (order.isErr()) return err(order.error);
    if (order.value === undefined) return ok({ events: [] });
    const timeline = await ports.orders.timeline(keyOf(key));
    if (timeline.isErr()) return err(timeline.error);
    const all = placedEvents(order.value, timeline.value, from);
    const matching = all.filter(({ type }) => types?.includes(type) ?? true);
    const hasRefund = matching.some(({ type }) => type === "refund.confirmed" || type === "refund.failed");
    const refunds = hasRefund ? await ports.refunds.list(keyOf(key)) : ok([]);
    if (refunds.isErr()) return err(refunds.error);
    const hasService = matching.some(({ type }) => type === "service.changed");
    const services = hasService
      ? await ports.services.list(order.value.appId, order.value.customerIdentity)
      : ok([]);
    if (services.isErr()) return err(services.error);
    const sources = { order: order.value, refunds: refunds.value, services: services.value };
    const events = matching.map((event) => {
      const { position, next } = event;
      return { event: orderEvent(event, sources), position, next };
    });
    const last = all.at(-1);
    return ok({ events, ...(last === undefined ? {} : { end: last.next }) });
  });
}
