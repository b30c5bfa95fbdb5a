import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order, OrderKey } from "../orders/order.js";
import type { PaymentStatus } from "../orders/payment-status.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";

/** Selects orders for an operator. Absent criteria select every order. */
export interface OrderFilter {
  readonly apps?: readonly string[] | undefined;
  readonly paymentStatus?: PaymentStatus | undefined;
  readonly payChannel?: PayChannel | undefined;
  readonly customerIdentity?: string | undefined;
  /** Start (inclusive) and end (exclusive) of the range of `gmtCreate`, epoch milliseconds. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** The lowest and the highest amount, in cents. */
  readonly minAmount?: number | undefined;
  readonly maxAmount?: number | undefined;
  /** Whether only orders with an open alarm are selected. */
  readonly withAlarm?: boolean | undefined;
}

/** A position in a list of orders that is sorted by `gmtCreate` and then by `id`. */
export type OrderPosition = Pick<Order, "gmtCreate" | "id">;

/** A page of the selected orders. */
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
   * Where the next page begins. Absent after the last order.
   *
   * A page may have fewer orders than asked for, or none, although there are older ones: one call
   * examines a limited number of orders.
   */
  readonly next?: OrderPosition;
}

/** The money of a time range, for one app and one channel. Amounts are cents. */
export interface Sales {
  readonly appId: string;
  readonly payChannel: PayChannel;
  /** The payments by the wallet's time, and their sum. */
  readonly payments: number;
  readonly taken: number;
  /** The refunds that a wallet confirmed, and their sum. */
  readonly refunds: number;
  readonly refunded: number;
}

/** The orders that were created in one hour. */
export interface HourOfOrders {
  /** The start of the hour, epoch milliseconds. */
  readonly start: number;
  readonly created: number;
  /** Those of them that were paid, including refunded ones. */
  readonly paid: number;
}

/** The orders that wait for a payment. */
export interface PendingOrders {
  /** At most the limit of the call. */
  readonly count: number;
  readonly oldest?: Order;
}

/** What a summary is about: a time range and some apps. */
export interface SummaryRange {
  readonly apps?: readonly string[] | undefined;
  /** Start (inclusive) and end (exclusive), epoch milliseconds. */
  readonly from: number;
  readonly until: number;
}

/**
 * Finds and counts orders for operators.
 *
 * Only reads. The cost of a call does not grow with the number of stored orders, except with those
 * in the time range of a summary. The only failure is `storage.unavailable`. Tested by
 * `orderSearchContract` of `@tillkit/contract-tests`.
 */
export interface OrderSearch {
  /** Returns a page of the selected orders, newest first by `gmtCreate` and then by `id`. */
  list(query: OrderSearchQuery): ResultAsync<FoundOrders, StorageFailure>;
  /**
   * Counts the selected orders, up to `atMost`.
   *
   * Examines as many orders as one page. `isLeast` is true if there may be more than `count`.
   */
  count(
    filter: OrderFilter,
    atMost: number,
  ): ResultAsync<{ readonly count: number; readonly isLeast: boolean }, StorageFailure>;
  /**
   * Returns orders whose `bizNo`, `id`, `walletTradeNo` or `customerIdentity` equals `text`.
   *
   * Newest first. `apps` limits the search to some apps.
   */
  lookUp(
    text: string,
    apps: readonly string[] | undefined,
    limit: number,
  ): ResultAsync<readonly FoundOrder[], StorageFailure>;
  /**
   * Returns the keys of orders with an open alarm, those with the newest alarm first.
   *
   * An adapter may consider only the newest 1,000 open alarms, here and in lists.
   */
  alarms(
    apps: readonly string[] | undefined,
    limit: number,
  ): ResultAsync<readonly OrderKey[], StorageFailure>;
  /** Returns the sums of payments and refunds, for each app and channel that has any. */
  sales(range: SummaryRange): ResultAsync<readonly Sales[], StorageFailure>;
  /** Counts the orders created in each hour of the range. An hour without orders is absent. */
  hours(range: SummaryRange): ResultAsync<readonly HourOfOrders[], StorageFailure>;
  /** Counts the PENDING orders with a pay tool, up to `atMost`, and returns the oldest one. */
  pending(apps: readonly string[] | undefined, atMost: number): ResultAsync<PendingOrders, StorageFailure>;
}
