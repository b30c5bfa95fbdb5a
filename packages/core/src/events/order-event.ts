import type { TimelineEventType } from "../orders/event-details.js";
import type { Language } from "../errors/message.js";
import type { OrderKey } from "../orders/order.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { RefundOrigin } from "../refunds/refund.js";

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
/** The type of an event that a host's handlers receive. */
export type OrderEventType = (typeof ORDER_EVENT_TYPES)[number];

/** The place of an event among the events of its order. */
export interface EventPosition {
  /** The `seq` of the timeline event that caused the event. */
  readonly seq: number;
  /** The number of the event among the events of this timeline event, from 0. */
  readonly index: number;
}

/** What every event has. Amounts are cents, times are epoch milliseconds. */
interface EventOfOrder extends OrderKey {
  /** Identifies the event: every delivery of one event has the same id. */
  readonly id: string;
  /** When the order changed. */
  readonly at: number;
  readonly orderId: string;
  /** Empty if an app without customer accounts sent no identity. */
  readonly customerIdentity: string;
  readonly payChannel: PayChannel;
  /** The amount of the order, in cents. */
  readonly amount: number;
}

/** What an event about a refund has. */
interface EventOfRefund extends EventOfOrder {
  /** The caller's number of the refund, unique within the order. */
  readonly refundNo: string;
  /** The amount of the refund, in cents. */
  readonly refundAmount: number;
}

/** The customer paid. Grant what the order buys. */
export interface OrderPaidEvent extends EventOfOrder {
  readonly type: "order.paid";
  /** When the customer paid, by the wallet's clock. */
  readonly pmtDt: number;
}

/** The order ended without a payment. A payment that was on its way may still arrive. */
export interface OrderClosedEvent extends EventOfOrder {
  readonly type: "order.closed";
}

/** The whole amount is refunded. Revoke what the order bought. */
export interface OrderRefundedEvent extends EventOfOrder {
  readonly type: "order.refunded";
  /** Where the last refund was made, after which the whole amount was refunded. */
  readonly origin: RefundOrigin;
  /** The sum of the refunds of the order, in cents. */
  readonly refundedAmount: number;
}

/** A refund of a part or of the whole amount was made, by the wallet or by other means. */
export interface RefundConfirmedEvent extends EventOfRefund {
  readonly type: "refund.confirmed";
  /** True if an operator recorded that the merchant paid the customer by other means. */
  readonly settled: boolean;
  /** Where the refund was made: by Tillkit, or at the wallet without Tillkit. */
  readonly origin: RefundOrigin;
}

/** The wallet refused or closed a refund, or an operator withdrew it. No money moved. */
export interface RefundFailedEvent extends EventOfRefund {
  readonly type: "refund.failed";
  /** True if an operator withdrew the refund, because the wallet had no refund with its number. */
  readonly withdrawn: boolean;
}

/** A person must look at the order. */
export interface OrderAlarmEvent extends EventOfOrder {
  readonly type: "order.alarm";
  /** The type of the event on the order's timeline. */
  readonly alarm: TimelineEventType;
  /** What happened, in a sentence for an operator. Contains no personal data. */
  readonly message: Readonly<Record<Language, string>>;
}

/** A payment or a full refund changed the time of the customer's service. */
export interface ServiceChangedEvent extends EventOfOrder {
  readonly type: "service.changed";
  readonly serviceTypeNo: string;
  /** The customer's number of the service. Absent if the customer has no such service any more. */
  readonly serviceNo?: string;
  /**
   * When the service ends, read at the time of the delivery. Absent if there is no such service.
   *
   * The time includes later changes, so the last delivered event has the current value.
   */
  readonly expireTime?: number;
}

/**
 * A change of an order, for the handlers of a host.
 *
 * Contains the customer's identity, but no credentials, no payload and no id of the customer at the
 * wallet.
 */
export type OrderEvent =
  | OrderPaidEvent
  | OrderClosedEvent
  | OrderRefundedEvent
  | RefundConfirmedEvent
  | RefundFailedEvent
  | OrderAlarmEvent
  | ServiceChangedEvent;
