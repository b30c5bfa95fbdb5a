import { eventSentence } from "../operations/event-sentence.js";
import type { Order } from "../orders/order.js";
import { readEvent } from "../orders/read-event.js";
import type { TimelineEvent } from "../orders/timeline.js";
import { type Refund, refundOrigin } from "../refunds/refund.js";
import type { CustomerService } from "../services/service-type.js";
import { eventTypesOf } from "./causes-event.js";
import type { EventPosition, OrderAlarmEvent, OrderEvent, OrderEventType } from "./order-event.js";

/** An event of an order with its place, before its details are read. */
export interface PlacedEvent {
  readonly position: EventPosition;
  /** The position of the next event. */
  readonly next: EventPosition;
  readonly type: OrderEventType;
  /** The timeline event that caused the event. */
  readonly entry: TimelineEvent;
}

/** The data from which the events of an order are built, in addition to its timeline. */
export interface EventSources {
  readonly order: Order;
  readonly refunds: readonly Refund[];
  /** The customer's services. */
  readonly services: readonly CustomerService[];
}

/** Returns the events of an order's timeline from a position, in the order of their delivery. */
export function placedEvents(
  order: Pick<Order, "service">,
  timeline: readonly TimelineEvent[],
  from: EventPosition,
): readonly PlacedEvent[] {
  return timeline
    .filter(({ seq }) => seq >= from.seq)
    .flatMap((entry) => {
      const { seq } = entry;
      const types = eventTypesOf(entry, order.service !== undefined);
      return types.map((type, index) => {
        const isLast = index === types.length - 1;
        const next = isLast ? { seq: seq + 1, index: 0 } : { seq, index: index + 1 };
        return { position: { seq, index }, next, type, entry };
      });
    })
    .filter(({ position: { seq, index } }) => seq > from.seq || index >= from.index);
}

/** Returns the event as its handlers receive it. */
export function orderEvent({ position, type, entry }: PlacedEvent, sources: EventSources): OrderEvent {
  const { order } = sources;
  const base = {
    id: `${order.id}-${String(position.seq)}-${String(position.index)}`,
    at: entry.at,
    appId: order.appId,
    bizNo: order.bizNo,
    orderId: order.id,
    customerIdentity: order.customerIdentity,
    payChannel: order.payChannel,
    amount: order.amount,
  };
  switch (type) {
    case "order.paid":
      return { ...base, type, pmtDt: order.pmtDt ?? entry.at };
    case "order.closed":
      return { ...base, type };
    case "order.refunded":
      return { ...base, type, refundedAmount: order.refundedAmount, origin: originOf(entry) };
    case "refund.confirmed":
      return {
        ...base,
        type,
        ...refundOf(entry, sources),
        settled: entry.type === "REFUND_SETTLED",
        origin: originOf(entry),
      };
    case "refund.failed":
      return { ...base, type, ...refundOf(entry, sources), withdrawn: entry.type === "REFUND_WITHDRAWN" };
    case "order.alarm":
      return { ...base, type, alarm: entry.type, message: messageOf(entry, order) };
    case "service.changed":
      return { ...base, type, ...serviceOf(sources) };
  }
}

function messageOf(entry: TimelineEvent, { payChannel }: Order): OrderAlarmEvent["message"] {
  return {
    en: eventSentence(entry, payChannel, "en"),
    zh: eventSentence(entry, payChannel, "zh"),
  };
}

function refundOf(entry: TimelineEvent, { refunds }: EventSources) {
  const { refundNo } = readEvent(entry);
  const refund = refunds.find((one) => one.refundNo === refundNo);
  return { refundNo: refund?.refundNo ?? "", refundAmount: refund?.amount ?? 0 };
}

function originOf(entry: TimelineEvent) {
  return refundOrigin({ refundNo: readEvent(entry).refundNo ?? "" });
}

function serviceOf({ order, services }: EventSources) {
  const { serviceTypeNo = "" } = order.service ?? {};
  const service = services.find((each) => each.serviceTypeNo === serviceTypeNo);
  if (service === undefined) return { serviceTypeNo };
  return { serviceTypeNo, serviceNo: service.serviceNo, expireTime: service.expireTime };
}
