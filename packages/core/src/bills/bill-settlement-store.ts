import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

/** What one side adds to a settlement: a line of the trade bill, or a movement of the fund-flow bill. */
export interface SettlementEntry {
  /** Never empty. */
  readonly settlementNo: string;
  /** STATED: the trade bill. MOVED: the fund-flow bill. */
  readonly side: "STATED" | "MOVED";
  /** Cents that the account receives before fees; negative for a refund, 0 for a fee. */
  readonly received: number;
  /** Cents that the wallet keeps; negative if it returns a fee. */
  readonly fee: number;
  /** Whether the line is a refund that the wallet had not finished. */
  readonly open: boolean;
  /** The order's number. */
  readonly outTradeNo?: string;
  /** The refund's number at the wallet. */
  readonly refundNo?: string;
}

/** The sums of one side of a settlement. */
export interface SettlementSide {
  /** How many entries it is the sum of; 0 if the side does not have the number. */
  readonly lines: number;
  readonly received: number;
  readonly fee: number;
}

/** What both bills of a day have under one settlement number. */
export interface Settlement {
  readonly settlementNo: string;
  readonly stated: SettlementSide;
  readonly moved: SettlementSide;
  /** How many of the stated lines were refunds in progress. */
  readonly open: number;
  /** The order's number; the first in text order where entries name several. */
  readonly outTradeNo?: string;
  /** The refund's number, likewise. */
  readonly refundNo?: string;
}

/**
 * Where the lines of a trade bill and the movements of a fund-flow bill meet, by settlement number: both may be longer than memory. Each run has settlements of its
 * own, which no other run sees. Proved by `billSettlementStoreContract`. The only failure is `storage.unavailable`.
 */
export interface BillSettlementStore {
  /** Adds entries to a run in one atomic step. Entries with one number add up to one settlement. `at` is now. */
  stage(runId: string, entries: readonly SettlementEntry[], at: number): ResultAsync<void, StorageFailure>;
  /** Up to `limit` settlements of the run in the order of their numbers, after the number `after`; the first ones without it. */
  page(
    runId: string,
    after: string | undefined,
    limit: number,
  ): ResultAsync<readonly Settlement[], StorageFailure>;
  /** Removes up to `limit` settlements of the run and returns how many. */
  discard(runId: string, limit: number): ResultAsync<number, StorageFailure>;
  /**
   * Removes up to `limit` settlements that were first staged before `before`, epoch milliseconds, of any run, and returns how many. It removes what a process
   * that died has left. Each of several concurrent calls counts only the settlements that it removed itself.
   */
  removeBefore(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
