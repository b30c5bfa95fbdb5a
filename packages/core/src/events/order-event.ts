/** Types of the events that a host's handlers receive. */
export const ORDER_EVENT_TYPES = [
  "order.paid",
  "order.closed",
  "order.refunded",
  "refund.confirmed",
  "refund.failed",
  "order.alarm",
  "service.changed",
] as const;
export type OrderEventType = (typeof ORDER_EVENT_TYPES)[number];

/** The place of an event among the events of its order. */
export interface EventPosition {
  /** The `seq` of the timeline event that caused it. */
  readonly seq: number;
  /** The number of the event among those with the same cause, from 0. */
  readonly index: number;
}
