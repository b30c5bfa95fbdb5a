import type { ResultAsync } from "neverthrow";
import type { UnknownAppFailure } from "../apps/unknown-app.js";
import type { StorageFailure } from "../errors/failure.js";
import type { InvalidCountFailure } from "./count-problem.js";
import type { ReservedStoreFailure } from "./reserved-store.js";
import type { DailyCount, StoreCounts } from "./daily-count.js";

/** Counts to write, in batches: `[counts]`, or a file while it is read. */
export type CountBatches = Iterable<readonly DailyCount[]> | AsyncIterable<readonly DailyCount[]>;

/** Why counts were not written. */
export type CountFailure = UnknownAppFailure | ReservedStoreFailure | InvalidCountFailure | StorageFailure;

/** The result of writing counts. */
export interface UpsertedCounts {
  /** The number of given counts. */
  readonly written: number;
  /** The number of (app, store, day) entries that are new or changed. */
  readonly changed: number;
}

/**
 * Stores daily download counts. Tested by `downloadsSourceContract`.
 *
 * Counts belong to an existing app, disabled or not. Writing fails with `app.unknown` for any other
 * app, with `store.reserved` for a store name for which `isReservedStore` returns true, and with
 * `count.invalid` for what `countProblem` finds. These failures store nothing. The only other
 * failure is a {@link StorageFailure}.
 */
export interface DownloadsSource {
  /**
   * Returns the app's counts by store from `start` to `end` (`YYYY-MM-DD`), including both.
   *
   * Omits days without a row, and stores without a day. Includes everything that was written before
   * the call. Several calls may return the same list, so callers must not change it.
   */
  read(appId: string, start: string, end: string): ResultAsync<readonly StoreCounts[], StorageFailure>;
  /**
   * Sets the counts of each (app, store, day), all or nothing.
   *
   * Writing the same counts twice changes nothing. Of two counts for the same day, the later one
   * wins. Nothing is stored if `batches` throws or if one count is refused. If `batches` throws,
   * the failure has the thrown value as `cause`.
   */
  upsert(batches: CountBatches): ResultAsync<UpsertedCounts, CountFailure>;
  /**
   * Adds to the counts of one (app, store, day). Concurrent calls all count.
   *
   * Fails with `count.invalid` if a sum would not be a count (`isCount`).
   */
  increment(count: DailyCount): ResultAsync<void, CountFailure>;
}
