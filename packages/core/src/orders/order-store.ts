import type { ReplaceResult } from "../apps/replaced-record.js";
import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { DueWork } from "../shared/due-work.js";
import type { Page } from "../shared/page.js";
import type { Order, OrderKey, PrepaymentClaim } from "./order.js";
import type { PaymentStatus } from "./payment-status-moves.js";
import type { Prepayment } from "../wallets/prepayment.js";
import type { TimelineEntry, TimelineEvent } from "./timeline.js";

/** Selects a page of one customer's orders. */
export interface OrderListQuery {
  readonly appId: string;
  readonly customerIdentity: string;
  /** Absent: orders of every status. */
  readonly paymentStatus?: PaymentStatus;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Selects a page of the paid orders of one pay tool.
 *
 * Times are epoch milliseconds by the wallet's clock.
 */
export interface PaidOrdersQuery {
  readonly payToolId: string;
  /** Start (inclusive) and end (exclusive) of the range of `pmtDt`. */
  readonly from: number;
  readonly until: number;
  /** The last order of the previous page. Absent for the first page. */
  readonly after?: Pick<Order, "pmtDt" | "id"> | undefined;
  readonly limit: number;
}

/** Selects a page of all orders, for an export. */
export interface AllOrdersQuery {
  /** Absent: the orders of every app. */
  readonly appId?: string | undefined;
  /** Only orders that were created at this time or later. Epoch milliseconds. */
  readonly from?: number | undefined;
  /** Only orders that were created before this time. Epoch milliseconds. */
  readonly until?: number | undefined;
  /** The last order of the previous page. Absent for the first page. */
  readonly after?: OrderKey | undefined;
  readonly limit: number;
}

/** A change of an order's status, with everything that the same transaction stores. */
export interface OrderTransition {
  readonly from: PaymentStatus;
  readonly to: PaymentStatus;
  /**
   * Epoch milliseconds. Becomes `gmtModified`. An expired service is extended from this time on.
   */
  readonly at: number;
  readonly pmtDt?: number;
  readonly walletTradeNo?: string;
  /**
   * Extends the customer's service by the order's `service`.
   *
   * {@link extendedExpireTime} returns the new end of the service. `serviceNo` is used if the
   * customer has no service of this type yet.
   */
  readonly extendService?: { readonly serviceNo: string };
  /**
   * When the reconciler works on the order next.
   *
   * The reconciler queries the wallet about an order that becomes CLOSE, and reports the shipment
   * of an order that becomes PAID.
   *
   * A change to CLOSE sets `nextQueryAt` if the customer may still hold a valid payload. If it is
   * absent, nothing is scheduled.
   */
  readonly nextQueryAt?: number;
  readonly entry: TimelineEntry;
}

/** The order after an attempted transition. `moved` is false if the order was not in `from`. */
export interface TransitionResult {
  readonly moved: boolean;
  readonly order: Order;
}

/**
 * The result of {@link OrderStore.importOnce}.
 *
 * - `stored`: this call stored the order.
 * - `exists`: an order with this key was stored already.
 * - `id-taken`: another order has this id.
 */
export type ImportResult =
  { readonly outcome: "stored" | "exists"; readonly order: Order } | { readonly outcome: "id-taken" };

/**
 * Stores orders and their timelines.
 *
 * Amounts are cents, times are epoch milliseconds. Every method is one atomic step, and callers
 * never hold a transaction. The only failure is a {@link StorageFailure}. A method returns
 * `undefined` for an order that does not exist. `orderStoreContract` of `@tillkit/contract-tests`
 * tests an implementation.
 */
export interface OrderStore {
  /**
   * Stores the order with `entry` as its first event, unless an order with its key exists.
   *
   * Returns the stored order: the new one, or the existing one unchanged. Concurrent calls with one
   * key all return the same order.
   */
  insertOnce(order: Order, entry: TimelineEntry): ResultAsync<Order, StorageFailure>;
  /**
   * Stores an order of another service with `entry` as its first event.
   *
   * Nothing is stored if an order with its key exists, or if another order has its id. If
   * concurrent calls have the same key or the same id, exactly one of them stores its order. An
   * adapter need not compare the id with concurrent calls of `insertOnce`, because their ids are
   * generated.
   */
  importOnce(order: Order, entry: TimelineEntry): ResultAsync<ImportResult, StorageFailure>;
  /**
   * Replaces an imported order whose only events are imports, and appends `entry`.
   *
   * Replaces nothing unless {@link isSameImport} returns true for the stored order and `previous`,
   * and every event of the order is of the type `IMPORTED`. Exactly one of several concurrent calls
   * with the same `previous` replaces the order.
   *
   * @param order - the new order. Its key and its id are those of `previous`.
   * @param audit - appended to the audit log in the same step, if the order was replaced.
   */
  replaceImported(
    previous: Order,
    order: Order,
    entry: TimelineEntry,
    audit?: AuditEntry,
  ): ResultAsync<ReplaceResult, StorageFailure>;
  /** Returns the order with this key. */
  find(key: OrderKey): ResultAsync<Order | undefined, StorageFailure>;
  /**
   * Returns the order with this key if it belongs to the customer.
   *
   * The storage compares the customer. So a lookup of another customer's order costs the same as a
   * lookup of an unknown key.
   */
  findOwn(key: OrderKey, customerIdentity: string): ResultAsync<Order | undefined, StorageFailure>;
  /**
   * Returns the order with this `id`, of any app.
   *
   * For operators: an adapter may have to search all shards.
   */
  findById(id: string): ResultAsync<Order | undefined, StorageFailure>;
  /**
   * Returns the orders with these ids, unsorted. Skips unknown ids. For bills, which contain no
   * `bizNo`.
   */
  findByIds(ids: readonly string[]): ResultAsync<readonly Order[], StorageFailure>;
  /**
   * Returns a page of paid orders, sorted by `pmtDt` and then `id`.
   *
   * Includes refunded orders. For the comparison with bills.
   */
  listPaid(query: PaidOrdersQuery): ResultAsync<readonly Order[], StorageFailure>;
  /**
   * Returns one page of the orders of the query, sorted by `bizNo` and then by `appId`, both byte
   * by byte.
   *
   * Fails if one of the orders cannot be read, so that an export is never incomplete.
   */
  listAll(query: AllOrdersQuery): ResultAsync<readonly Order[], StorageFailure>;
  /**
   * Returns a page of the customer's orders, newest first, and the total count.
   *
   * Sorted by `gmtCreate` and then `id`.
   */
  list(query: OrderListQuery): ResultAsync<Page<Order>, StorageFailure>;
  /**
   * Grants one caller the right to request the prepayment from the wallet.
   *
   * Grants the claim if the order is PENDING, and at `now` has neither a valid prepayment nor an
   * unexpired claim with another id. At most one of several concurrent callers gets the claim.
   * Every caller gets the current order.
   */
  claimPrepayment(
    key: OrderKey,
    claim: PrepaymentClaim,
    now: number,
  ): ResultAsync<{ readonly granted: boolean; readonly order: Order } | undefined, StorageFailure>;
  /**
   * Stores the prepayment and ends the claim.
   *
   * Keeps the stored prepayment if it is still valid at `prepayment.issuedAt`, so the first writer
   * wins. Changes nothing if the order is PAID or REFUND. Returns the order as it is stored after
   * the call.
   */
  attachPrepayment(key: OrderKey, prepayment: Prepayment): ResultAsync<Order | undefined, StorageFailure>;
  /**
   * Ends the claim with this id, so that another caller need not wait until the claim expires. A
   * claim with another id stays.
   */
  releasePrepayment(key: OrderKey, claimId: string): ResultAsync<void, StorageFailure>;
  /**
   * Moves the order to another status if it is in `change.from` (compare-and-set).
   *
   * In one transaction it moves the order, appends the entry, extends the customer's service, and
   * sets `nextQueryAt` (or clears it if the change has none). The move to PAID removes the
   * prepayment and the claim, which are no longer needed. If the order is not in `change.from`,
   * nothing changes, and the current order is returned. The extension is
   * `expireTime = max(at, expireTime) + durationMs`, at most once per order.
   */
  transition(
    key: OrderKey,
    change: OrderTransition,
  ): ResultAsync<TransitionResult | undefined, StorageFailure>;
  /**
   * Sets the pay tool of an order that has none (`payToolId` is empty), and appends `entry`.
   *
   * A PENDING order gets `entry.at` as its `nextQueryAt`. An order with a pay tool is returned
   * unchanged, so the first of several concurrent calls decides.
   */
  connect(
    key: OrderKey,
    payToolId: string,
    entry: TimelineEntry,
  ): ResultAsync<Order | undefined, StorageFailure>;
  /**
   * Appends an entry that changes no status. Returns whether the entry was appended.
   *
   * Returns false if the order does not exist, or if its timeline has an entry of the same type
   * with the same evidence. An entry without evidence is always appended.
   *
   * @param audit - appended to the audit log in the same step, if the entry was appended.
   */
  record(key: OrderKey, entry: TimelineEntry, audit?: AuditEntry): ResultAsync<boolean, StorageFailure>;
  /**
   * Returns the order's events in sequence.
   *
   * Each hash covers the previous hash, also if several calls append concurrently.
   */
  timeline(key: OrderKey): ResultAsync<readonly TimelineEvent[], StorageFailure>;
  /**
   * Grants one read of the order the right to query the wallet.
   *
   * Returns true if no claim was granted yet, or if the last one was granted at least `interval`
   * milliseconds before `now`. Exactly one of several concurrent calls returns true.
   */
  claimQuery(key: OrderKey, now: number, interval: number): ResultAsync<boolean, StorageFailure>;
  /**
   * Claims up to `limit` orders with a due `nextQueryAt`, the earliest `nextQueryAt` first.
   *
   * PENDING and CLOSE orders are due for a query, PAID orders for the report of their shipment.
   *
   * Sets `nextQueryAt` of each claimed order to `now + lease`. Concurrent workers never claim the
   * same order. If a worker dies, its orders are due again after the lease.
   */
  claimDue(now: number, limit: number, lease: number): ResultAsync<readonly Order[], StorageFailure>;
  /**
   * Counts the orders that are due at `now`, without claiming them.
   *
   * Stops counting at `atMost`, which limits the cost.
   */
  dueSince(now: number, atMost: number): ResultAsync<DueWork, StorageFailure>;
  /**
   * Sets when a PENDING or CLOSE order is queried next; `undefined` ends its queries.
   *
   * Has no effect in other statuses.
   */
  schedule(key: OrderKey, nextQueryAt: number | undefined): ResultAsync<void, StorageFailure>;
  /**
   * Sets when the shipment of a PAID order is reported next; `undefined` ends its reports.
   *
   * Has no effect in other statuses.
   */
  scheduleShipment(key: OrderKey, nextReportAt: number | undefined): ResultAsync<void, StorageFailure>;
  /**
   * Appends an entry about the shipment of a PAID order and sets `nextQueryAt`, in one step.
   *
   * Returns false, without effect, if the order is not PAID, or if its timeline has an entry of the
   * same type with the same evidence.
   *
   * @param audit - appended to the audit log in the same step, if the entry was appended.
   */
  recordShipment(
    key: OrderKey,
    entry: TimelineEntry,
    nextReportAt: number | undefined,
    audit?: AuditEntry,
  ): ResultAsync<boolean, StorageFailure>;
}
