import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Order, OrderKey } from "../orders/order.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { TimelineEntry, TimelineEvent } from "../orders/timeline.js";
import type { DueWork } from "../shared/due-work.js";
import type { RefundStatus } from "../orders/refund-status.js";
import type { OpenRefundStatus, Refund } from "./refund.js";

/**
 * The result of a refund request.
 *
 * A refund was stored only if the kind is `requested`. `held` contains the existing refund with the
 * same number. `in-progress` contains the refund that blocks the request. `changed`: the timeline
 * of the order has grown since the caller read it.
 */
export type RefundRequestOutcome =
  | { readonly kind: "requested"; readonly refund: Refund; readonly order: Order }
  | { readonly kind: "held"; readonly refund: Refund; readonly order: Order }
  | { readonly kind: "no-order" }
  | { readonly kind: "not-paid" | "changed"; readonly order: Order }
  | { readonly kind: "in-progress"; readonly order: Order; readonly refund: Refund }
  | {
      readonly kind: "exceeds-remaining";
      readonly order: Order;
      /** Cents of the order that are neither refunded nor reserved by an open refund. */
      readonly remaining: number;
    };

/** An order with its refunds and its timeline, all read at the same moment. */
export interface StoredRecord {
  readonly order: Order;
  /** Oldest first. */
  readonly refunds: readonly Refund[];
  /** Oldest first. */
  readonly timeline: readonly TimelineEvent[];
}

/** A move of an open refund to another open status. */
export interface RefundProgress {
  /**
   * The refund as the caller read it. If its status or `gmtModified` has changed, nothing moves.
   */
  readonly seen: { readonly status: OpenRefundStatus; readonly gmtModified: number };
  readonly to: Exclude<OpenRefundStatus, "REQUESTED">;
  /** When the reconciler continues the refund, epoch milliseconds. */
  readonly nextTryAt: number;
  readonly walletRefundNo?: string;
  /** If it is set, the move also claims the right to send. See {@link RefundStore.claimSend}. */
  readonly sendingUntil?: number;
  /** Its `at` becomes the `gmtModified` of the refund. */
  readonly entry: TimelineEntry;
}

/** A claim of the right to send a refund. Times are epoch milliseconds. */
export interface RefundSendClaim {
  readonly at: number;
  /** When the claim ends. No other caller can send the refund before this time. */
  readonly until: number;
}

/**
 * The result of a claim to send a refund.
 *
 * `granted`: the claim was stored. `not-allowed`: the status of the refund does not allow a send,
 * or the wallet has accepted the refund. `claimed`: an earlier claim has not ended.
 */
export interface RefundClaimOutcome {
  readonly kind: "granted" | "not-allowed" | "claimed";
  readonly refund: Refund;
}

/** The timeline entries of a refund that adds to `refundedAmount`, and their time. */
export interface RefundCount {
  readonly at: number;
  readonly entry: TimelineEntry;
  /** Appended after `entry` if the refunds now reach the order's amount. */
  readonly refundedEntry: TimelineEntry;
}

/** A record that the merchant paid the customer by other means, with its timeline entries. */
export interface RefundSettlement extends RefundCount {
  /**
   * When the wallet was queried about the refund, epoch milliseconds.
   *
   * An open refund is not settled if its `sendingUntil` is later: a call that sends it or pays it
   * out may have run at this time, or was claimed since.
   */
  readonly queriedAt: number;
  /**
   * The `seq` of the last event on the order's timeline that the caller has seen.
   *
   * If it is set and the timeline has grown since, nothing is settled, and the result is `changed`.
   */
  readonly seen?: number;
}

/** An operator's withdrawal of a refund that the wallet does not have. */
export interface RefundWithdrawal {
  readonly at: number;
  /** When the query began that proved that the wallet has no such refund, epoch milliseconds. */
  readonly queriedAt: number;
  readonly entry: TimelineEntry;
}

/**
 * The result of a withdrawal. Only `withdrawn` means that something was changed.
 *
 * `not-allowed`: the refund has ended, is ABNORMAL, or has a `walletRefundNo`. `sending`: a call
 * that sends the refund may have run during the query, or was claimed since.
 */
export interface RefundWithdrawOutcome {
  readonly kind: "withdrawn" | "not-allowed" | "sending";
  readonly refund: Refund;
  readonly order: Order;
}

/** A wallet's confirmation of a refund, with its timeline entries. */
export interface RefundConfirmation extends RefundCount {
  readonly walletRefundNo?: string;
  /**
   * The status on which the entries depend. If it is set, a refund in another status does not move.
   */
  readonly from?: RefundStatus;
}

/**
 * The refund and its order after an attempted change.
 *
 * `moved` is false if the refund was not in a status that allows the change.
 */
export interface RefundTransitionResult {
  readonly moved: boolean;
  readonly refund: Refund;
  readonly order: Order;
}

/**
 * The result of settling a refund.
 *
 * Only `settled` means that something was changed. `not-allowed`: the refund is CONFIRMED or
 * SETTLED. `sending`: a call that sends the refund may still run. `changed`: the timeline of the
 * order has grown since the caller read it.
 */
export type RefundSettleOutcome =
  | {
      readonly kind: "settled" | "not-allowed" | "sending" | "changed";
      readonly refund: Refund;
      readonly order: Order;
    }
  | {
      readonly kind: "exceeds-remaining";
      readonly refund: Refund;
      readonly order: Order;
      /** Cents of the order that are neither refunded nor reserved by another open refund. */
      readonly remaining: number;
    };

/**
 * A refund that the wallet confirmed and that is not stored yet, with its timeline entries.
 *
 * The refund is CONFIRMED. Its number is that of `adoptedRefundNo`, or that of `consoleRefundNo` if
 * a stored refund with another amount has that number.
 */
export interface RefundAdoption extends RefundCount {
  readonly refund: Refund;
  /** The alarm that is appended last if the result of `adoptableAmount` has `isPaidTwice`. */
  readonly paidTwiceEntry: TimelineEntry;
}

/**
 * The result of adopting a refund.
 *
 * Only `adopted` means that something was changed. `held` contains the existing refund with the
 * same number.
 */
export type RefundAdoptOutcome =
  | {
      readonly kind: "adopted";
      readonly refund: Refund;
      readonly order: Order;
      /** Whether `paidTwiceEntry` was appended. */
      readonly isPaidTwice: boolean;
    }
  | { readonly kind: "held"; readonly refund: Refund; readonly order: Order }
  | { readonly kind: "no-order" }
  | { readonly kind: "not-paid"; readonly order: Order }
  | {
      readonly kind: "exceeds-amount";
      readonly order: Order;
      /** Cents of the order that the wallet has not refunded. */
      readonly remaining: number;
    };

/** Selects a page of CONFIRMED refunds. Times are epoch milliseconds. */
export interface ConfirmedRefundsQuery {
  /** The pay tools that took the money of the refunded orders. */
  readonly payToolIds: readonly string[];
  /**
   * Start (inclusive) and end (exclusive) of the range of `gmtModified`.
   *
   * A CONFIRMED refund's `gmtModified` is the time of its confirmation.
   */
  readonly from: number;
  readonly until: number;
  /** The last refund of the previous page. Absent for the first page. */
  readonly after?: Refund | undefined;
  readonly limit: number;
}

/** Selects refunds for an operator. An absent member does not limit the selection. */
export interface RefundFilter {
  readonly status?: RefundStatus | undefined;
  /** The apps of the orders. */
  readonly apps?: readonly string[] | undefined;
  /** Who requested the refund. */
  readonly operator?: string | undefined;
  /** The `refundNo`, `walletRefundNo`, `bizNo`, or {@link outRefundNo} of the refund. */
  readonly number?: string | undefined;
  /** Start (inclusive) and end (exclusive) of the range of `gmtCreate`, epoch milliseconds. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /**
   * Start (inclusive) and end (exclusive) of the range of the time at which the wallet confirmed
   * the refund, epoch milliseconds. Only CONFIRMED refunds match.
   */
  readonly confirmedFrom?: number | undefined;
  readonly confirmedUntil?: number | undefined;
  /** The channel of the order. */
  readonly payChannel?: PayChannel | undefined;
  /** The lowest and the highest amount, in cents. */
  readonly minAmount?: number | undefined;
  readonly maxAmount?: number | undefined;
}

/** Selects a page of refunds. */
export interface RefundSearchQuery extends RefundFilter {
  /** The `next` of the previous page. Absent for the first page. */
  readonly before?: RefundPosition | undefined;
  readonly limit: number;
}

/** The place of a refund in a list by `gmtCreate`. */
export type RefundPosition = Pick<Refund, "gmtCreate" | "appId" | "bizNo" | "refundNo">;

/** A page of selected refunds, newest first. */
export interface RefundsPage {
  readonly items: readonly Refund[];
  /**
   * The position after which the next page begins. Absent on the last page.
   *
   * A page may have fewer refunds than `limit`, or none, and still have a `next`: an adapter may
   * examine only a limited number of refunds per call.
   */
  readonly next?: RefundPosition;
}

/** The open refunds of one status, and when the oldest was requested, epoch milliseconds. */
export interface OpenRefunds {
  readonly status: OpenRefundStatus;
  readonly count: number;
  readonly oldestAt: number;
}

/**
 * Stores refunds, in the same storage as their orders.
 *
 * Amounts are cents, times are epoch milliseconds. Every method is one atomic step that includes
 * the order and its timeline. The only failure is a {@link StorageFailure}. A method returns
 * `undefined` if the order or the refund does not exist. `refundStoreContract` of
 * `@tillkit/contract-tests` tests an implementation.
 *
 * An open refund reserves its amount: the remaining amount of an order is its `amount` minus
 * `refundedAmount` minus its open refunds. CONFIRMED and SETTLED are final. A FAILED or WITHDRAWN
 * refund can only become CONFIRMED or SETTLED. No method reopens a refund that has ended.
 */
export interface RefundStore {
  /**
   * Stores a REQUESTED refund, or returns the existing one with its `refundNo`.
   *
   * Stores the refund if the order is PAID, has no refund in REQUESTED or SENT, and has enough
   * remaining amount. At most one of several concurrent requests for an order is stored. The number
   * is checked first: an existing refund is returned unchanged, even if its amount differs or the
   * order is not PAID.
   *
   * @param seen - the `seq` of the last event on the order's timeline. If it is set and the
   *   timeline has grown since, nothing is stored, and the result is `changed`.
   */
  request(
    refund: Refund,
    entry: TimelineEntry,
    seen?: number,
  ): ResultAsync<RefundRequestOutcome, StorageFailure>;
  /**
   * Stores a CONFIRMED refund that the wallet made and that is not stored yet, and counts it once.
   *
   * An existing refund with the number is returned unchanged. The order must be PAID or REFUND. The
   * effect on the order is that of `confirm`. Open refunds do not limit the amount, because the
   * money has already moved. SETTLED refunds do not limit the amount either, because the wallet did
   * not pay them. So `refundedAmount` can exceed the amount of the order. `adoptableAmount` decides
   * whether an alarm is raised. Appends `audit` to the audit log in the same step, if the refund is
   * adopted.
   */
  adopt(adoption: RefundAdoption, audit?: AuditEntry): ResultAsync<RefundAdoptOutcome, StorageFailure>;
  /**
   * Moves a refund from REQUESTED to SENT, before the wallet is called.
   *
   * A refund in another status is returned unchanged. `nextTryAt` is when the reconciler continues
   * the refund if this process dies.
   *
   * @param sendingUntil - if it is set, the move also claims the right to send, until this time.
   *   See {@link RefundStore.claimSend}.
   */
  markSent(
    key: OrderKey,
    refundNo: string,
    nextTryAt: number,
    entry: TimelineEntry,
    sendingUntil?: number,
  ): ResultAsync<RefundTransitionResult | undefined, StorageFailure>;
  /**
   * Grants the right to send a refund, to one caller at a time.
   *
   * Call this before every send, unless `markSent` has just claimed the right.
   *
   * Grants the right if the refund is SENT or WAITING_FOR_FUNDS, has no `walletRefundNo`, and its
   * `sendingUntil` is at most `at`. Then `sendingUntil` becomes `until`. At most one of several
   * concurrent claims is granted. If a claim and a `withdraw` or `settle` run concurrently, the
   * later of the two calls is refused, so an ended refund is never sent.
   */
  claimSend(
    key: OrderKey,
    refundNo: string,
    claim: RefundSendClaim,
  ): ResultAsync<RefundClaimOutcome | undefined, StorageFailure>;
  /**
   * Moves a REQUESTED, SENT or WAITING_FOR_FUNDS refund without `walletRefundNo` to WITHDRAWN.
   *
   * Refuses the withdrawal if `sendingUntil` is later than `queriedAt`. So no send ran during the
   * query, none has begun since, and none can begin. The amount of the refund is no longer
   * reserved. Appends `audit` to the audit log in the same step, if the refund is withdrawn.
   */
  withdraw(
    key: OrderKey,
    refundNo: string,
    withdrawal: RefundWithdrawal,
    audit?: AuditEntry,
  ): ResultAsync<RefundWithdrawOutcome | undefined, StorageFailure>;
  /**
   * Moves an open refund to SENT, WAITING_FOR_FUNDS or ABNORMAL, if `seen` is still current.
   *
   * At most one of several concurrent calls with the same `seen` moves the refund. The amount stays
   * reserved. If `walletRefundNo` is absent, the stored number is kept.
   */
  progress(
    key: OrderKey,
    refundNo: string,
    progress: RefundProgress,
  ): ResultAsync<RefundTransitionResult | undefined, StorageFailure>;
  /**
   * Moves an open, FAILED or WITHDRAWN refund to CONFIRMED, and counts its amount once.
   *
   * If `refundedAmount` then reaches the order's amount, the same transaction moves the order from
   * PAID to REFUND and revokes its time from the customer's service: `expireTime` gets the value
   * that it would have if the order had never been paid. A FAILED refund can be confirmed, because
   * a wallet may process a refund that it had refused.
   */
  confirm(
    key: OrderKey,
    refundNo: string,
    confirmation: RefundConfirmation,
  ): ResultAsync<RefundTransitionResult | undefined, StorageFailure>;
  /**
   * Moves a refund to SETTLED: the merchant paid the customer by other means.
   *
   * An open, FAILED or WITHDRAWN refund can move. An open refund does not move while a call that
   * sends it or pays it out may still run.
   *
   * The amount of the refund counts once, with the same effect on the order as `confirm`. Returns
   * `exceeds-remaining` if the amount exceeds the rest of the order without the amounts of the
   * other open refunds. Appends `audit` to the audit log in the same step, if the refund is
   * settled.
   */
  settle(
    key: OrderKey,
    refundNo: string,
    settlement: RefundSettlement,
    audit?: AuditEntry,
  ): ResultAsync<RefundSettleOutcome | undefined, StorageFailure>;
  /**
   * Moves an open refund to FAILED: the wallet refused it. Its amount is no longer reserved.
   *
   * With `unlessAccepted`, nothing changes if the wallet has accepted the refund: it is ABNORMAL,
   * or its `walletRefundNo` is stored.
   */
  reject(
    key: OrderKey,
    refundNo: string,
    at: number,
    entry: TimelineEntry,
    options?: { readonly unlessAccepted?: boolean },
  ): ResultAsync<RefundTransitionResult | undefined, StorageFailure>;
  /**
   * Returns the order with its refunds and its timeline, as they were at one moment.
   *
   * So the result contains all effects of a concurrent call, or none.
   */
  readRecord(key: OrderKey): ResultAsync<StoredRecord | undefined, StorageFailure>;
  /** Returns the order's refunds, oldest first. Empty if the order does not exist. */
  list(key: OrderKey): ResultAsync<readonly Refund[], StorageFailure>;
  /**
   * Returns a page of refunds of all orders, newest first. For operators.
   *
   * Sorted by `gmtCreate`, then by `bizNo`, `appId` and `refundNo`, all of them descending. On one
   * server, the cost does not grow with the number of stored refunds.
   */
  search(query: RefundSearchQuery): ResultAsync<RefundsPage, StorageFailure>;
  /**
   * Returns a page of CONFIRMED refunds with their orders. For bills.
   *
   * Sorted by `gmtModified`, then by `bizNo`, `appId` and `refundNo`. These values no longer
   * change.
   */
  listConfirmed(
    query: ConfirmedRefundsQuery,
  ): ResultAsync<readonly { readonly refund: Refund; readonly order: Order }[], StorageFailure>;
  /**
   * Claims up to `limit` open refunds with a due `nextTryAt`.
   *
   * Sets `nextTryAt` of each claimed refund to `now + lease`. Concurrent workers never claim the
   * same refund.
   */
  claimDue(now: number, limit: number, lease: number): ResultAsync<readonly Refund[], StorageFailure>;
  /**
   * Counts the refunds that are due at `now`, without claiming them.
   *
   * Stops counting at `atMost`, which limits the cost.
   */
  dueSince(now: number, atMost: number): ResultAsync<DueWork, StorageFailure>;
  /**
   * Counts the open refunds by status, and returns when the oldest one of each was requested.
   *
   * A status without refunds is absent. Stops counting at `atMost` in each status.
   */
  openByStatus(atMost: number): ResultAsync<readonly OpenRefunds[], StorageFailure>;
  /**
   * Sets when the reconciler continues an open refund. Has no effect on a refund that has ended.
   *
   * `gmtModified` stays. `walletRefundNo` is stored only if the refund has none yet.
   */
  schedule(
    key: OrderKey,
    refundNo: string,
    nextTryAt: number,
    walletRefundNo?: string,
  ): ResultAsync<void, StorageFailure>;
}
