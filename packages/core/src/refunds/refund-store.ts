import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order, OrderKey } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";
import type { DueWork } from "../shared/due-work.js";
import type { OpenRefundStatus, Refund } from "./refund.js";

/** What became of a request. Only `requested` stored anything; `held` is the refund that has the number already. */
export type RefundRequestOutcome =
  | { readonly kind: "requested"; readonly refund: Refund; readonly order: Order }
  | { readonly kind: "held"; readonly refund: Refund; readonly order: Order }
  | { readonly kind: "no-order" }
  | { readonly kind: "not-paid"; readonly order: Order }
  | { readonly kind: "in-progress"; readonly order: Order; readonly refund: Refund }
  | {
      readonly kind: "exceeds-remaining";
      readonly order: Order;
      /** Cents of the order that are neither refunded nor reserved by an open refund. */
      readonly remaining: number;
    };

/** A move of an open refund to another open status. */
export interface RefundProgress {
  /** The refund as the caller read it: it must still be in that status, entered at that time. */
  readonly seen: { readonly status: OpenRefundStatus; readonly gmtModified: number };
  readonly to: Exclude<OpenRefundStatus, "REQUESTED">;
  /** When it is pursued next. */
  readonly nextTryAt: number;
  readonly walletRefundNo?: string;
  /** Its `at` is when the refund enters the status. */
  readonly entry: TimelineEntry;
}

/**
 * An operator's record that the merchant paid the customer by other means, with the entries for the
 * timeline.
 */
export interface RefundSettlement {
  readonly at: number;
  readonly entry: TimelineEntry;
  /** Appended after `entry` when what went back now makes up the whole amount. */
  readonly refundedEntry: TimelineEntry;
}

/** A confirmed refund, with the entries for the timeline. */
export interface RefundConfirmation extends RefundSettlement {
  readonly walletRefundNo?: string;
}

/** The refund after an attempt to change it, with its order; `moved` is false when it had been changed before. */
export interface RefundMoved {
  readonly moved: boolean;
  readonly refund: Refund;
  readonly order: Order;
}

/**
 * The refund after an attempt to settle it. Only `settled` changed anything; `not-allowed`: it is
 * neither ABNORMAL nor FAILED.
 */
export type RefundSettleOutcome =
  | { readonly kind: "settled" | "not-allowed"; readonly refund: Refund; readonly order: Order }
  | {
      readonly kind: "exceeds-remaining";
      readonly refund: Refund;
      readonly order: Order;
      /** Cents of the order that are neither refunded nor reserved by another open refund. */
      readonly remaining: number;
    };

/** Which confirmed refunds to list, a page at a time. Times are epoch milliseconds. */
export interface ConfirmedRefundsQuery {
  /** Whose orders: the pay tools that took their money. */
  readonly payToolIds: readonly string[];
  /** When the first that may be listed was confirmed here, and the first that may not any more. */
  readonly from: number;
  readonly until: number;
  /** The last refund of the page before. */
  readonly after?: Refund | undefined;
  readonly limit: number;
}

/**
 * Where refunds live, in the same storage as their orders. Proved by `refundStoreContract`. Money is in cents and time in epoch
 * milliseconds. It fails only with `storage.unavailable`. Every verb is one atomic step together with the order's row and timeline.
 *
 * An open refund reserves its amount. What is left of an order is its amount less `refundedAmount`
 * less the open refunds. CONFIRMED and SETTLED are final; FAILED is left only for CONFIRMED or
 * SETTLED. No verb makes a refund that has ended open again.
 */
export interface RefundStore {
  /**
   * Stores a REQUESTED refund if the order is PAID, has no refund in REQUESTED or SENT, and at
   * least the refund's amount is left. Of concurrent requests for one order at most one is stored.
   * A number that the order has used is never used again: its refund is returned as it is, before
   * all else, whatever its amount and state and whatever became of the order. Source: BEHAVIOUR,
   * "Orders", refunds.
   */
  request(refund: Refund, entry: TimelineEntry): ResultAsync<RefundRequestOutcome, StorageFailure>;
  /**
   * REQUESTED → SENT, before the wallet is called; `nextTryAt` is when it is pursued if this
   * process dies. It changes no refund in another status, and returns it: called before every
   * further send, it tells whether the refund has ended meanwhile.
   */
  markSent(
    key: OrderKey,
    refundNo: string,
    nextTryAt: number,
    entry: TimelineEntry,
  ): ResultAsync<RefundMoved | undefined, StorageFailure>;
  /**
   * Moves an open refund to SENT, WAITING_FOR_FUNDS or ABNORMAL and appends the entry, if the
   * refund is still as the caller saw it. Of concurrent calls that saw the same one moves it. The
   * amount stays reserved; `walletRefundNo` is kept if it is absent here.
   */
  progress(
    key: OrderKey,
    refundNo: string,
    progress: RefundProgress,
  ): ResultAsync<RefundMoved | undefined, StorageFailure>;
  /**
   * Any open status or FAILED → CONFIRMED (a wallet may do after all what it had refused), and adds
   * the amount to the order's `refundedAmount`. When that makes the whole amount, in the same
   * transaction the order moves PAID → REFUND and its time is taken back from the customer's
   * service: `expireTime` becomes what it would be had the order never been paid. Once, however
   * often it is called.
   */
  confirm(
    key: OrderKey,
    refundNo: string,
    confirmation: RefundConfirmation,
  ): ResultAsync<RefundMoved | undefined, StorageFailure>;
  /**
   * ABNORMAL or FAILED → SETTLED: the merchant paid the customer by other means. It counts as
   * `confirm` does, once, and is refused if less than the refund's amount is left beside the other
   * open refunds.
   */
  settle(
    key: OrderKey,
    refundNo: string,
    settlement: RefundSettlement,
  ): ResultAsync<RefundSettleOutcome | undefined, StorageFailure>;
  /**
   * Any open status → FAILED: the wallet refused it for good. The amount can be refunded again,
   * under a new number.
   *
   * With `unlessAccepted` it changes nothing if the wallet has accepted the refund by now: it is
   * ABNORMAL, or its `walletRefundNo` is stored.
   */
  reject(
    key: OrderKey,
    refundNo: string,
    at: number,
    entry: TimelineEntry,
    options?: { readonly unlessAccepted?: boolean },
  ): ResultAsync<RefundMoved | undefined, StorageFailure>;
  /** The order's refunds, oldest first. */
  list(key: OrderKey): ResultAsync<readonly Refund[], StorageFailure>;
  /** CONFIRMED refunds with their orders, first confirmed first (`gmtModified`, which is final with the status, then the order's key and `refundNo`): for bills. */
  listConfirmed(
    query: ConfirmedRefundsQuery,
  ): ResultAsync<readonly { readonly refund: Refund; readonly order: Order }[], StorageFailure>;
  /**
   * Hands out open refunds whose `nextTryAt` has come and puts each off to `now + lease`; never the
   * same one to two workers.
   */
  claimDue(now: number, limit: number, lease: number): ResultAsync<readonly Refund[], StorageFailure>;
  /** Counts what `claimDue` would hand out at `now`, up to `atMost`, so that the cost does not grow with the table. It claims nothing. */
  dueSince(now: number, atMost: number): ResultAsync<DueWork, StorageFailure>;
  /**
   * Sets when an open refund is pursued next; its `gmtModified` stays. `walletRefundNo` is kept if it is absent here.
   * One that becomes final meanwhile is never pursued again.
   */
  schedule(
    key: OrderKey,
    refundNo: string,
    nextTryAt: number,
    walletRefundNo?: string,
  ): ResultAsync<void, StorageFailure>;
}
