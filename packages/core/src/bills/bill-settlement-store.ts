import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

/** A line of the trade bill, or a movement of the fund-flow bill, as part of a settlement. */
export interface SettlementEntry {
  /** The number that both bills share. Never empty. */
  readonly settlementNo: string;
  /** STATED: from the trade bill. MOVED: from the fund-flow bill. */
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
  /**
   * The number of added entries; 0 if the bill of this side does not contain the settlement number.
   */
  readonly lines: number;
  readonly received: number;
  readonly fee: number;
}

/** The sums of both bills of a day under one settlement number. */
export interface Settlement {
  readonly settlementNo: string;
  readonly stated: SettlementSide;
  readonly moved: SettlementSide;
  /** The number of stated lines that are refunds in progress. */
  readonly open: number;
  /** The order's number. The first one in text order if the entries have several. */
  readonly outTradeNo?: string;
  /** The refund's number. The first one in text order if the entries have several. */
  readonly refundNo?: string;
}

/**
 * Collects the lines of a trade bill and of a fund-flow bill by settlement number.
 *
 * Both bills can be larger than memory. Each run has its own settlements, which no other run sees.
 * Tested by `billSettlementStoreContract`. The only failure is a {@link StorageFailure}.
 */
export interface BillSettlementStore {
  /**
   * Adds entries to a run in one atomic step. Entries with one number add up to one settlement.
   *
   * @param at - The current time, epoch milliseconds.
   */
  stage(runId: string, entries: readonly SettlementEntry[], at: number): ResultAsync<void, StorageFailure>;
  /**
   * Returns up to `limit` settlements of the run in the order of their numbers.
   *
   * @param after - The number before the page, or `undefined` for the first page.
   */
  page(
    runId: string,
    after: string | undefined,
    limit: number,
  ): ResultAsync<readonly Settlement[], StorageFailure>;
  /** Returns the settlements of the run that have one of the numbers, in any order. */
  find(runId: string, settlementNos: readonly string[]): ResultAsync<readonly Settlement[], StorageFailure>;
  /** Removes up to `limit` settlements of the run and returns how many. */
  discard(runId: string, limit: number): ResultAsync<number, StorageFailure>;
  /**
   * Removes up to `limit` settlements of any run that were first staged before `before`.
   *
   * Removes what a crashed process left behind. Each of several concurrent calls counts only the
   * settlements that it removed itself.
   *
   * @param before - Epoch milliseconds.
   * @returns how many settlements were removed.
   */
  removeBefore(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
