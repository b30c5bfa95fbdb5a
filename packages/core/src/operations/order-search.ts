import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order, OrderKey } from "../orders/order.js";
import type { PaymentStatus } from "../orders/payment-status-moves.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";

/** Selects orders for an operator. An absent member does not limit the selection. */
export interface OrderFilter {
  readonly apps?: readonly string[] | undefined;
  readonly paymentStatus?: PaymentStatus | undefined;
  readonly payChannel?: PayChannel | undefined;
  readonly customerIdentity?: string | undefined;
  /** Start (inclusive) and end (exclusive) of the range of `gmtCreate`, epoch milliseconds. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** The range of `pmtDt`, the time of the payment by the wallet's clock. */
  readonly paidFrom?: number | undefined;
  readonly paidUntil?: number | undefined;
  /** The lowest and the highest amount, in cents. */
  readonly minAmount?: number | undefined;
  readonly maxAmount?: number | undefined;
  /** Whether only orders with an open alarm are selected. */
  readonly withAlarm?: boolean | undefined;
}

/** A position in a list of orders that is sorted by `gmtCreate` and then by `id`. */
export type OrderPosition = Pick<Order, "gmtCreate" | "id">;

/** Selects a page of orders. */
export interface OrderSearchQuery extends OrderFilter {
  /** The `next` of the previous page. Absent for the first page. */
  readonly before?: OrderPosition | undefined;
  readonly limit: number;
}

/** An order in a list for operators. */
export interface FoundOrder {
  readonly order: Order;
  /** Whether the order has an alarm that no operator has acknowledged. */
  readonly hasAlarm: boolean;
}

/** A page of selected orders, newest first. */
export interface FoundOrders {
  readonly items: readonly FoundOrder[];
  /**
   * The position after which the next page begins. Absent on the last page.
   *
   * A page may have fewer orders than `limit`, or none, and still have a `next`: an adapter may
   * examine only a limited number of orders per call.
   */
  readonly next?: OrderPosition;
}

/** The newest open alarm of an order. */
export interface OpenAlarm extends OrderKey {
  /** The number of the event on the order's timeline. */
  readonly seq: number;
  /**
   * The type of the event.
   *
   * A later version of Tillkit may have stored a type that is unknown here.
   */
  readonly type: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The refund that the event is about. Absent if it is about none. */
  readonly refundNo?: string;
}

/** An entry of a timeline that causes events, and the facts of its order that the events need. */
export interface EventEntry extends OrderKey {
  readonly orderId: string;
  /** Whether the order is for a service. */
  readonly hasService: boolean;
  /** The number of the entry on the order's timeline. */
  readonly seq: number;
  /**
   * The type of the entry.
   *
   * A later version of Tillkit may have stored a type that is unknown here.
   */
  readonly type: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly alarm: boolean;
  /** The refund of the entry. Absent for other entries. */
  readonly refundNo?: string;
}

/** Timeline entries of a time range that cause events, oldest first. */
export interface EventEntries {
  readonly items: readonly EventEntry[];
  /**
   * The time of the last entry of `items`, if there are more entries at or after this time.
   *
   * Must not depend on entries of other apps. Otherwise an operator of one shop could see when
   * another shop is paid.
   */
  readonly next?: number;
}

/** The payments and refunds of one app and one channel in a time range. */
export interface Sales {
  readonly appId: string;
  readonly payChannel: PayChannel;
  /** The number of payments whose time, by the wallet's clock, is in the range. */
  readonly payments: number;
  /** The sum of the payments, in cents. */
  readonly taken: number;
  /** The number of refunds that were confirmed in the range. */
  readonly refunds: number;
  /** The sum of the refunds, in cents. */
  readonly refunded: number;
}

/** The orders that were created in one hour. */
export interface HourOfOrders {
  /** The start of the hour, epoch milliseconds. */
  readonly start: number;
  readonly created: number;
  /** How many orders of the hour have been paid until now, including refunded orders. */
  readonly paid: number;
}

/** The orders that wait for a payment. */
export interface PendingOrders {
  /** At most the limit of the call. */
  readonly count: number;
  /** Absent if no order waits. */
  readonly oldest?: Order;
}

/** The time range and the apps of a summary. */
export interface SummaryRange {
  /** Absent: every app. */
  readonly apps?: readonly string[] | undefined;
  /** Start (inclusive) and end (exclusive), epoch milliseconds. */
  readonly from: number;
  readonly until: number;
}

/**
 * Finds and counts orders for operators.
 *
 * Every method only reads. On one server, the cost of a list, a count or a search does not grow
 * with the number of stored orders. The cost of a summary (`sales`, `hours`) and of a list of
 * payments (`paidFrom`, `paidUntil`) grows with the number of orders in its time range. The only
 * failure is `storage.unavailable`. `orderSearchContract` of `@tillkit/contract-tests` tests an
 * implementation.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-lists.md |
 *   Lists of orders have a bounded cost}
 */
export interface OrderSearch {
  /** Returns a page of the selected orders, newest first by `gmtCreate` and then by `id`. */
  list(query: OrderSearchQuery): ResultAsync<FoundOrders, StorageFailure>;
  /**
   * Counts the selected orders, up to `atMost`.
   *
   * Examines at most as many orders as `list` does for one page. `isLeast` is true if more than
   * `count` orders may match.
   */
  count(
    filter: OrderFilter,
    atMost: number,
  ): ResultAsync<{ readonly count: number; readonly isLeast: boolean }, StorageFailure>;
  /**
   * Returns orders whose `bizNo`, `id`, `walletTradeNo` or `customerIdentity` equals `text`.
   *
   * Newest first, at most `limit`. Without `apps`, it searches every app.
   */
  lookUp(
    text: string,
    apps: readonly string[] | undefined,
    limit: number,
  ): ResultAsync<readonly FoundOrder[], StorageFailure>;
  /**
   * Returns the orders with an open alarm, each with its newest one. The newest alarm is first.
   *
   * An adapter may consider only the newest 1,000 open alarms, also in `list` with `withAlarm`.
   */
  alarms(
    apps: readonly string[] | undefined,
    limit: number,
  ): ResultAsync<readonly OpenAlarm[], StorageFailure>;
  /**
   * Returns the timeline entries at or after `from` that cause events, oldest first.
   *
   * At most `limit` of them. Entries of one millisecond are sorted by `bizNo`, app and `seq`.
   */
  events(query: {
    readonly apps: readonly string[] | undefined;
    /** Epoch milliseconds, inclusive. */
    readonly from: number;
    readonly limit: number;
  }): ResultAsync<EventEntries, StorageFailure>;
  /**
   * Returns the payments and refunds of each app and channel.
   *
   * Omits an app and channel without payments and refunds.
   */
  sales(range: SummaryRange): ResultAsync<readonly Sales[], StorageFailure>;
  /** Counts the orders created in each hour of the range. An hour without orders is absent. */
  hours(range: SummaryRange): ResultAsync<readonly HourOfOrders[], StorageFailure>;
  /** Counts the PENDING orders with a pay tool, up to `atMost`, and returns the oldest one. */
  pending(apps: readonly string[] | undefined, atMost: number): ResultAsync<PendingOrders, StorageFailure>;
}
