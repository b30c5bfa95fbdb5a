import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { BillLine } from "../wallets/wallet-bill.js";

/** What names a line within a bill. */
export type BillLineKey = Pick<BillLine, "kind" | "outTradeNo" | "refundNo">;

/**
 * Where the lines of a bill wait until the bill is known to be whole and has been compared: it may be longer than memory. Each reading of a bill has a
 * run of its own, whose lines no other sees. Proved by `billLineStoreContract`. The only failure is `storage.unavailable`.
 */
export interface BillLineStore {
  /** Adds lines to a run. Those with one key become one line with the sum of their amounts; it is OPEN if one of them is. `at` is now. */
  stage(runId: string, lines: readonly BillLine[], at: number): ResultAsync<void, StorageFailure>;
  /** Up to `limit` lines of the run, in the order of their keys, that come after `after`; its first ones without it. */
  page(
    runId: string,
    after: BillLineKey | undefined,
    limit: number,
  ): ResultAsync<readonly BillLine[], StorageFailure>;
  /** Those of the run's lines that have one of `keys`, in any order. */
  find(runId: string, keys: readonly BillLineKey[]): ResultAsync<readonly BillLine[], StorageFailure>;
  /** Removes up to `limit` lines of the run, and says how many. */
  discard(runId: string, limit: number): ResultAsync<number, StorageFailure>;
  /**
   * Removes up to `limit` lines that were staged before `before`, epoch milliseconds, whatever their run, and says how many: what a process that died has left. Of
   * concurrent calls each counts lines of its own.
   */
  removeBefore(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
