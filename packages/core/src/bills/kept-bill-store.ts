import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { BillLine } from "../wallets/wallet-bill.js";
import type { Bill } from "./bill.js";

/** A line of a trade bill as Tillkit keeps it for the accounting reports. Amounts are cents. */
export interface KeptBillLine extends BillLine {
  /** The place of the line among the readable lines of its bill, starting at 1. */
  readonly position: number;
  /** The app and the number of the order with the line's number. Absent if no order has it. */
  readonly appId?: string;
  readonly bizNo?: string;
  /** The number of the line in the fund-flow bill. */
  readonly settlementNo?: string;
  /** What the account receives before fees, negative for a refund. Absent if the bill omits it. */
  readonly received?: number;
  /** The wallet's fee, negative if the wallet returns it. Absent if the bill omits it. */
  readonly fee?: number;
}

/** The lines of a trade bill that one run read completely, and what the bills of its day state. */
export interface KeptBill extends Bill {
  /** The run that read the lines. */
  readonly runId: string;
  /** When the run began, epoch milliseconds. The lines of the later run take precedence. */
  readonly asOf: number;
  /** The number of kept lines. */
  readonly lines: number;
  /** The number of lines that the run could not read, and which are not kept. */
  readonly unreadable: number;
  /** The trade bill's own total of fees, in cents. Absent if it states none. */
  readonly fees?: number;
  /** The balances in cents before and after the day. Absent if no fund-flow bill states them. */
  readonly opening?: number;
  readonly closing?: number;
}

/** The sums of the lines of one app in a kept bill. Amounts are cents. */
export interface KeptBillSums {
  readonly runId: string;
  /** Absent for the lines whose numbers no order has. */
  readonly appId?: string;
  readonly payments: number;
  readonly paymentAmount: number;
  readonly refunds: number;
  /** What the customers got back, positive. */
  readonly refundAmount: number;
  /** What the account received before fees. The merchant's own coupons reduce it. */
  readonly received: number;
  /** The fees that the bill states. */
  readonly fees: number;
  /** The number of lines whose fee the bill omits. */
  readonly unpriced: number;
}

/** Which kept lines are removed. */
export interface KeptBillExpiry {
  /**
   * Lines of runs that began before this time and never kept their bill, and lines that another run
   * replaced before this time. Epoch milliseconds.
   */
  readonly before: number;
  /** Lines of bills of days before this day, `YYYY-MM-DD`. */
  readonly day: string;
}

/**
 * Keeps the lines of each account's trade bill of each day, for the accounting reports.
 *
 * A run adds its lines under its own id, and then replaces the lines of its bill in one step. The
 * lines of a run never change. So a reader that has the ids of runs reads one state of the bills,
 * also while other runs replace them. Tested by `keptBillStoreContract`. The only failure is a
 * {@link StorageFailure}.
 */
export interface KeptBillStore {
  /**
   * Begins a run over a bill. Call it before you add lines to the run.
   *
   * @param asOf - When the run began, epoch milliseconds.
   */
  begin(runId: string, bill: Bill, asOf: number): ResultAsync<void, StorageFailure>;
  /** Adds lines to a run. A line changes nothing if the run already has a line at its position. */
  add(runId: string, lines: readonly KeptBillLine[]): ResultAsync<void, StorageFailure>;
  /**
   * Makes the lines of a run the lines of its bill, in place of those of an earlier run.
   *
   * Of concurrent calls that replace the same run, one takes effect. Other bills do not change.
   *
   * @param instead - The run whose lines the bill has now, or `undefined` if it has none.
   * @param at - The current time, epoch milliseconds.
   * @returns whether the bill has the lines of the run now. False, without effect, if the bill does
   *   not have the lines of `instead`, if it has those of a later run, or if the run is unknown.
   */
  keep(bill: KeptBill, instead: string | undefined, at: number): ResultAsync<boolean, StorageFailure>;
  /**
   * Returns up to `limit` lines of the run `earlier` that the run lacks, by their positions.
   *
   * Lines are equal if they have the same kind, order number and refund number. Of several equal
   * lines of `earlier`, those with the highest positions are missing.
   */
  missingLines(
    runId: string,
    earlier: string,
    limit: number,
  ): ResultAsync<readonly KeptBillLine[], StorageFailure>;
  /**
   * Returns up to `limit` refunds of `other` that the run `runId` has too, by their positions.
   *
   * Refunds are equal if they have the same order number and refund number. A refund without a
   * refund number equals no other refund.
   */
  sharedRefunds(
    runId: string,
    other: string,
    limit: number,
  ): ResultAsync<readonly KeptBillLine[], StorageFailure>;
  /**
   * Returns the kept bills of a range of days, including both.
   *
   * Sorted by day, channel, environment and account. There is at most one per merchant and day, so
   * the caller limits the range.
   */
  list(from: string, until: string): ResultAsync<readonly KeptBill[], StorageFailure>;
  /** Returns the sums of the lines of runs by app, in any order. Omits a run without lines. */
  sums(runIds: readonly string[]): ResultAsync<readonly KeptBillSums[], StorageFailure>;
  /**
   * Returns up to `limit` lines of a run in the order of their positions.
   *
   * @param after - The position before the page; 0 for the first page.
   */
  page(runId: string, after: number, limit: number): ResultAsync<readonly KeptBillLine[], StorageFailure>;
  /**
   * Removes up to `limit` lines, and returns how many.
   *
   * A bill of which a call removes a line is no longer listed. Each of several concurrent calls
   * counts only the lines that it removed itself.
   */
  remove(expiry: KeptBillExpiry, limit: number): ResultAsync<number, StorageFailure>;
}
