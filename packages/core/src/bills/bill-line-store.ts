import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { BillLine } from "../wallets/wallet-bill.js";

/** The key of a line within a bill. */
export type BillLineKey = Pick<BillLine, "kind" | "outTradeNo" | "refundNo">;

/**
 * Holds the lines of a bill until Tillkit has read the whole bill and compared it.
 *
 * A bill can be larger than memory. Each reading of a bill is a run with its own lines, which no
 * other run sees. Tested by `billLineStoreContract`. The only failure is a {@link StorageFailure}.
 */
export interface BillLineStore {
  /**
   * Adds lines to a run.
   *
   * Lines with the same key become one line with the sum of their amounts. The line is OPEN if one
   * of the added lines is OPEN.
   *
   * @param at - The current time, epoch milliseconds.
   */
  stage(runId: string, lines: readonly BillLine[], at: number): ResultAsync<void, StorageFailure>;
  /**
   * Returns up to `limit` lines of the run in the order of their keys.
   *
   * @param after - The key before the page, or `undefined` for the first page.
   */
  page(
    runId: string,
    after: BillLineKey | undefined,
    limit: number,
  ): ResultAsync<readonly BillLine[], StorageFailure>;
  /** Returns the lines of the run that have one of `keys`, in any order. */
  find(runId: string, keys: readonly BillLineKey[]): ResultAsync<readonly BillLine[], StorageFailure>;
  /** Removes up to `limit` lines of the run and returns how many. */
  discard(runId: string, limit: number): ResultAsync<number, StorageFailure>;
  /**
   * Removes up to `limit` lines of any run that were staged before `before`.
   *
   * Removes what a crashed process left behind. Each of several concurrent calls counts only the
   * lines that it removed itself.
   *
   * @param before - Epoch milliseconds.
   * @returns how many lines were removed.
   */
  removeBefore(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
