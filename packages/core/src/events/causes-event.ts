import type { TimelineEventType } from "../orders/event-details.js";
import type { TimelineEntry } from "../orders/timeline.js";
import type { OrderEventType } from "./order-event.js";

const EVENT_TYPES: ReadonlyMap<string, readonly OrderEventType[]> = new Map<
  TimelineEventType,
  readonly OrderEventType[]
>([
  ["PAID", ["order.paid"]],
  ["LATE_PAYMENT", ["order.paid"]],
  ["CLOSED", ["order.closed"]],
  ["REFUND_CONFIRMED", ["refund.confirmed"]],
  ["REFUND_SETTLED", ["refund.confirmed"]],
  ["REFUND_ADOPTED", ["refund.confirmed"]],
  ["REFUND_FAILED", ["refund.failed"]],
  ["REFUND_WITHDRAWN", ["refund.failed"]],
  ["REFUNDED", ["order.refunded"]],
]);

/** The types of timeline entries that cause an event. An entry with an alarm always causes one. */
export const EVENT_CAUSES: readonly string[] = [...EVENT_TYPES.keys()];

/**
 * Returns the types of the events that a timeline entry causes, in the order of their delivery.
 *
 * If the order has a service, `service.changed` follows `order.paid` and `order.refunded`.
 * `order.alarm` comes last.
 *
 * @returns the types. Empty if the entry causes no event.
 * @example
 * ```ts
 * import { eventTypesOf } from "@tillkit/core/ports";
 *
 * console.log(eventTypesOf({ type: "PAID", alarm: false }, true));
 * ```
 */
export function eventTypesOf(
  entry: { readonly type: string; readonly alarm: boolean },
  hasService: boolean,
): readonly OrderEventType[] {
  const types = EVENT_TYPES.get(entry.type) ?? [];
  const changesService = types.includes("order.paid") || types.includes("order.refunded");
  return [
    ...types,
    ...(hasService && changesService ? (["service.changed"] as const) : []),
    ...(entry.alarm ? (["order.alarm"] as const) : []),
  ];
}

/**
 * Returns whether a timeline entry causes an event. If it does, stores make deliveries due.
 *
 * @returns true if the entry causes at least one event.
 * @example
 * ```ts
 * import { causesEvent } from "@tillkit/core/ports";
 *
 * console.log(causesEvent({ type: "CLOSED", alarm: false }));
 * ```
 */
export function causesEvent(entry: Pick<TimelineEntry, "type" | "alarm">): boolean {
  return eventTypesOf(entry, false).length > 0;
}
