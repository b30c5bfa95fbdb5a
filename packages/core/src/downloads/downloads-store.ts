import type { ResultAsync } from "neverthrow";
import type { UnknownAppFailure } from "../apps/unknown-app.js";
import type { StorageFailure } from "../errors/failure.js";
import type { ReservedStoreFailure } from "./reserved-store.js";
import type { DailyCount, DownloadsClient, StoreCounts } from "./daily-count.js";

/** Counts to write, in portions: `[counts]`, or a file as it is read. */
export type CountBatches = Iterable<readonly DailyCount[]> | AsyncIterable<readonly DailyCount[]>;

/** What writing counts did. */
export interface UpsertedCounts {
  /** How many counts were given. */
  readonly written: number;
  /** How many of the (app, store, day) are new or have other counts than before. */
  readonly changed: number;
}

/**
 * Where daily download counts live. Proved by `downloadsSourceContract`.
 *
 * Counts belong to an app that is there, disabled or not: for any other app, writing fails with
 * `app.unknown`. A store must not have a name for which `isReservedStore` holds: writing fails with
 * `store.reserved`. Both store nothing. Otherwise the only failure is `storage.unavailable`.
 */
export interface DownloadsSource {
  /**
   * The app's counts from `start` to `end`, both included (`YYYY-MM-DD`), by store. Days without a row are left out, and so are stores without a day.
   * Everything is seen that was written before the call. Several calls may get the same list, so nobody changes one that was given.
   */
  read(appId: string, start: string, end: string): ResultAsync<readonly StoreCounts[], StorageFailure>;
  /**
   * Sets the counts of each (app, store, day): writing the same twice changes nothing, and of two counts of one day the later stands. All of the batches
   * or none, also when `batches` throws half-way, which is a failure with what it threw as `cause`, or when one app of many is unknown or
   * one store has a reserved name.
   */
  upsert(
    batches: CountBatches,
  ): ResultAsync<UpsertedCounts, UnknownAppFailure | ReservedStoreFailure | StorageFailure>;
  /** Adds to the counts of one (app, store, day). Concurrent calls all count. */
  increment(count: DailyCount): ResultAsync<void, UnknownAppFailure | ReservedStoreFailure | StorageFailure>;
}

/** Where downloads clients live: a small table. Proved by `downloadsClientStoreContract`. But for a client of an unknown app the only failure is `storage.unavailable`. */
export interface DownloadsClientStore {
  /**
   * Keeps the client unless its `clientId` is taken, and returns whichever is kept. Concurrent calls agree. A new client whose app is not there, disabled or not, is
   * not kept: that is `app.unknown`, looked up in the same step.
   */
  insertOnce(client: DownloadsClient): ResultAsync<DownloadsClient, UnknownAppFailure | StorageFailure>;
  /** The client with this id. */
  find(clientId: string): ResultAsync<DownloadsClient | undefined, StorageFailure>;
  /** The client as `find` gave it at most one second ago, without asking storage; `undefined` when it did not. */
  recall(clientId: string): DownloadsClient | undefined;
  /** Every client, by id. */
  list(): ResultAsync<readonly DownloadsClient[], StorageFailure>;
}
