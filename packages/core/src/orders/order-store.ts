import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { DueWork } from "../shared/due-work.js";
import type { Page } from "../shared/page.js";
import type { Order, OrderKey, PaymentStatus, PrepaymentClaim } from "./order.js";
import type { Prepayment } from "../wallets/prepayment.js";
import type { TimelineEntry, TimelineEvent } from "./timeline.js";

/** Which of a customer's orders to list. */
export interface OrderListQuery {
  readonly appId: string;
  readonly customerIdentity: string;
  /** All statuses when absent. */
  readonly paymentStatus?: PaymentStatus;
  readonly offset: number;
  readonly limit: number;
}

/** Which paid orders to list, a page at a time. Times are epoch milliseconds, by the wallet's clock. */
export interface PaidOrdersQuery {
  readonly payToolId: string;
  /** `pmtDt` of the first that may be listed, and of the first that may not any more. */
  readonly from: number;
  readonly until: number;
  /** The last order of the page before. */
  readonly after?: Pick<Order, "pmtDt" | "id"> | undefined;
  readonly limit: number;
}

/** A move from one status to another, with what goes into the same transaction. */
export interface OrderTransition {
  readonly from: PaymentStatus;
  readonly to: PaymentStatus;
  /** Becomes `gmtModified`, and is the "now" of the service extension. */
  readonly at: number;
  readonly pmtDt?: number;
  readonly walletTradeNo?: string;
  /** Extends the customer's service by the order's `service`; `serviceNo` is used if the customer has none of this type yet. */
  readonly extendService?: { readonly serviceNo: string };
  /** When the wallet is asked again although the order goes to CLOSE: a payload in the customer's hands may still be paid. */
  readonly nextQueryAt?: number;
  readonly entry: TimelineEntry;
}

/** The order after an attempt to change it; `moved` is false when somebody else had been faster. */
export interface Moved {
  readonly moved: boolean;
  readonly order: Order;
}

/**
 * Where orders and their timelines live. Proved by `orderStoreContract` in `@tillkit/contract-tests`.
 * Money is in cents and time in epoch milliseconds. It fails only with `storage.unavailable`; an order that is not there is `undefined`.
 * Every change of an order is one atomic step; no caller ever holds a transaction.
 */
export interface OrderStore {
  /**
   * Keeps the order, with `entry` as the start of its timeline, unless its key is taken; then nothing changes. Either way the kept order is
   * returned, and however many calls race, it is the same for all. Source: payments spec, POST /order.json, `bizNo`.
   */
  insertOnce(order: Order, entry: TimelineEntry): ResultAsync<Order, StorageFailure>;
  /** The order with this key. */
  find(key: OrderKey): ResultAsync<Order | undefined, StorageFailure>;
  /** The order with this `id`, whatever its app: for operators, who may pay for a search across shards. */
  findById(id: string): ResultAsync<Order | undefined, StorageFailure>;
  /** The orders with these ids, in any order and without those there are none of: for bills, which know no `bizNo`. */
  findByIds(ids: readonly string[]): ResultAsync<readonly Order[], StorageFailure>;
  /** The orders that were paid in a time, refunded ones included, first paid first (`pmtDt`, then `id`): for bills. */
  listPaid(query: PaidOrdersQuery): ResultAsync<readonly Order[], StorageFailure>;
  /** The customer's orders, newest first (`gmtCreate`, then `id`), and how many the filter matches in all. */
  list(query: OrderListQuery): ResultAsync<Page<Order>, StorageFailure>;
  /**
   * Grants the right to ask the wallet for the prepayment when the order has none that is valid at `now` and nobody else's claim is live.
   * Of concurrent calls at most one is granted; all see the order as it is now.
   */
  claimPrepayment(
    key: OrderKey,
    claim: PrepaymentClaim,
    now: number,
  ): ResultAsync<{ readonly granted: boolean; readonly order: Order } | undefined, StorageFailure>;
  /**
   * Keeps `prepayment` and ends the claim, unless the order holds one that is still valid at `prepayment.issuedAt`: the first writer wins.
   * Everyone gets the order with the winner's.
   */
  attachPrepayment(key: OrderKey, prepayment: Prepayment): ResultAsync<Order | undefined, StorageFailure>;
  /** Ends the claim called `claimId`, so that the next process need not wait for it to run out. Another claim stays, also one granted meanwhile. */
  releasePrepayment(key: OrderKey, claimId: string): ResultAsync<void, StorageFailure>;
  /**
   * Compare-and-set on the status: moves the order if it is in `change.from`, appends the entry, extends the customer's service and sets
   * or, without `nextQueryAt`, ends its queries, all in one transaction. A lost race changes nothing and returns the order as it is now.
   * Extending: `expireTime = max(at, expireTime) + durationMs`, once per order. Source: BEHAVIOUR, "Customer services".
   */
  transition(key: OrderKey, change: OrderTransition): ResultAsync<Moved | undefined, StorageFailure>;
  /**
   * Appends an entry that changes no status. False, and nothing is appended, when the timeline already holds one of the same type and evidence,
   * or when there is no such order. Another app's order with the same `bizNo` is another order, with a timeline of its own.
   */
  record(key: OrderKey, entry: TimelineEntry): ResultAsync<boolean, StorageFailure>;
  /** The order's events in their order; each hash follows from the one before, also after concurrent appends. */
  timeline(key: OrderKey): ResultAsync<readonly TimelineEvent[], StorageFailure>;
  /** True for one of any number of concurrent calls, and only if no read has asked the wallet since `now - interval`. */
  claimQuery(key: OrderKey, now: number, interval: number): ResultAsync<boolean, StorageFailure>;
  /**
   * Hands out up to `limit` PENDING or CLOSE orders whose `nextQueryAt` has come, longest due first, and puts each off to `now + lease`:
   * concurrent workers never get the same order, and one that dies loses its orders after the lease.
   */
  claimDue(now: number, limit: number, lease: number): ResultAsync<readonly Order[], StorageFailure>;
  /** Counts what `claimDue` would hand out at `now`, up to `atMost`, so that the cost does not grow with the table. It claims nothing. */
  dueSince(now: number, atMost: number): ResultAsync<DueWork, StorageFailure>;
  /** Sets when a PENDING or CLOSE order is asked about next; `undefined` for never. One that is paid meanwhile gets no time again. */
  schedule(key: OrderKey, nextQueryAt: number | undefined): ResultAsync<void, StorageFailure>;
}
