import type { ResultAsync } from "neverthrow";
import type { UnknownAppFailure } from "../apps/unknown-app.js";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { InvalidCountFailure } from "./count-problem.js";
import type { ReservedStoreFailure } from "./reserved-store.js";
import type { ChangedStores, StoreChange, StoreChangeFailure } from "./store-change.js";
import type { DailyCount, StoreCounts } from "./daily-count.js";
import type { StoreName, TooManyStoresFailure, UnknownStoresFailure } from "./store-name.js";

/** Counts to write, in batches: `[counts]`, or a file while it is read. */
export type CountBatches = Iterable<readonly DailyCount[]> | AsyncIterable<readonly DailyCount[]>;

/** Why counts were not written. */
export type CountFailure =
  | UnknownAppFailure
  | ReservedStoreFailure
  | InvalidCountFailure
  | UnknownStoresFailure
  | TooManyStoresFailure
  | StorageFailure;

/** The counts of one day, without the app and store. */
export type DayCounts = Pick<DailyCount, "newDownloads" | "updateDownloads">;

/** A day whose counts were written and differ from before. */
export interface CountChange extends DailyCount {
  /** The previous counts. Absent if the day had none. */
  readonly before?: DayCounts;
}

/** Options of {@link DownloadsSource.upsert}. */
export interface UpsertOptions {
  /** Fails if the registry does not have a store. By default, a new store is added. */
  readonly strict?: boolean;
  /**
   * Receives each day that is new or changed, sorted by app, store and day.
   *
   * Called before the transaction ends. If `onChange` throws or `upsert` fails, nothing is stored.
   */
  readonly onChange?: (change: CountChange) => void;
}

/** The result of writing counts. */
export interface UpsertedCounts {
  /** The number of given counts. */
  readonly written: number;
  /** The number of (app, store, day) entries that are new or changed. */
  readonly changed: number;
  /** How many of the changed entries are new. */
  readonly added: number;
  /** The number of given (app, store, day) entries that already had the same counts. */
  readonly unchanged: number;
}

/** A range of days of one app and store, `YYYY-MM-DD`, including both ends. */
export interface StoreDays {
  readonly appId: string;
  /** A name of the store. */
  readonly store: string;
  readonly from: string;
  readonly until: string;
}

/** What a change of days did, or would do. */
export interface ChangedDays {
  /** The name of the store in reports. */
  readonly store: string;
  /** The number of days that are new, changed or deleted. */
  readonly changed: number;
  /** The previous counts, oldest day first. Days without counts are absent. */
  readonly before: readonly (DayCounts & { readonly date: string })[];
}

/** Why counts of days were not changed. */
export type DaysFailure = UnknownAppFailure | UnknownStoresFailure | InvalidCountFailure | StorageFailure;

/** For which days a store has counts of an app. */
export interface StoreCoverage {
  readonly store: string;
  /** The first day with a count, `YYYY-MM-DD`. */
  readonly firstDay: string;
  /** The last day with a count, `YYYY-MM-DD`. */
  readonly lastDay: string;
  /** The number of days with a count. */
  readonly days: number;
}

/**
 * Stores daily download counts and the registry of stores. Tested by `downloadsSourceContract`.
 *
 * Counts belong to an existing app, disabled or not. A write stores nothing if it fails:
 *
 * - `app.unknown`: no app has this id.
 * - `store.reserved`: `isReservedStore` returns true for the store.
 * - `count.invalid`: `countProblem` finds a problem.
 * - `store.too-many`: the registry is full, and the name is new.
 * - `store.unknown`: the name is new, and the import is `strict`.
 * - a {@link StorageFailure}.
 *
 * The registry has every name of every store. A write resolves names with `resolveStores` in the
 * same atomic step, so no call writes under an old name after a rename or merge.
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
   * wins. Nothing is stored if `batches` throws or if one count is rejected. If `batches` throws,
   * the failure has the thrown value as `cause`. Concurrent calls write one after the other.
   */
  upsert(batches: CountBatches, options?: UpsertOptions): ResultAsync<UpsertedCounts, CountFailure>;
  /**
   * Adds to the counts of one (app, store, day). No concurrent call is lost.
   *
   * Fails with `count.invalid` if a sum would not be a count (`isCount`).
   */
  increment(count: DailyCount): ResultAsync<void, CountFailure>;
  /** Returns every name of the registry, in any order. */
  storeNames(): ResultAsync<readonly StoreName[], StorageFailure>;
  /**
   * Makes the change that `plannedStoreChange` returns, and moves counts in the same atomic step.
   *
   * A rename or a merge moves the counts of `store`, for every app. Fails with `store.days-in-both`
   * if both stores have counts of the same days of an app, and either `days` is `refuse` or there
   * are more than `MAX_DAYS_IN_BOTH` such days. Fails with `count.invalid` if a sum is not a count.
   * If something changed, the same step appends `audit`. Its detail then has in `before.days` the
   * counts of the days that both stores had: `[appId, day, new, updates, new of into, updates of
   * into]`.
   *
   * @param dryRun - returns what the change would do, and changes nothing. Then `refuse` does not
   *   fail, and `daysInBoth` is the number of days for which both stores have counts.
   */
  changeStores(
    change: StoreChange,
    dryRun: boolean,
    audit?: AuditEntry,
  ): ResultAsync<ChangedStores, StoreChangeFailure>;
  /**
   * Sets the counts of each day of a range to `next`, or deletes them, all or nothing.
   *
   * Fails with `store.unknown` if the registry does not have the store. A concurrent `increment` of
   * such a day runs before or after the change. If something changed, the same step appends
   * `audit`. Its detail then has in `before.days` the previous counts: `[day, new, updates]`.
   *
   * @param dryRun - returns what the change would do, and changes nothing.
   */
  changeDays(
    days: StoreDays,
    next: DayCounts | "delete",
    dryRun: boolean,
    audit?: AuditEntry,
  ): ResultAsync<ChangedDays, DaysFailure>;
  /** Returns for which days the app has counts, by store. Stores without a count are absent. */
  coverage(appId: string): ResultAsync<readonly StoreCoverage[], StorageFailure>;
}
