import type { ResultAsync } from "neverthrow";
import type { UnknownAppFailure } from "../apps/unknown-app.js";
import type { StorageFailure } from "../errors/failure.js";
import type { ReservedStoreFailure } from "./reserved-store.js";
import type { DailyCount, DownloadsClient, StoreCounts } from "./daily-count.js";

/** Counts to write, in batches: `[counts]`, or a file while it is read. */
export type CountBatches = Iterable<readonly DailyCount[]> | AsyncIterable<readonly DailyCount[]>;

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
 * app, and with `store.reserved` for a store name for which `isReservedStore` returns true. Both
 * failures store nothing. The only other failure is `storage.unavailable`.
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
   * wins. Nothing is stored if `batches` throws, if one app is unknown or if one store name is
   * reserved. If `batches` throws, the failure has the thrown value as `cause`.
   */
  upsert(
    batches: CountBatches,
  ): ResultAsync<UpsertedCounts, UnknownAppFailure | ReservedStoreFailure | StorageFailure>;
  /** Adds to the counts of one (app, store, day). Concurrent calls all count. */
  increment(count: DailyCount): ResultAsync<void, UnknownAppFailure | ReservedStoreFailure | StorageFailure>;
}

/**
 * Stores downloads clients, a small table. Tested by `downloadsClientStoreContract`.
 *
 * Unless a method states otherwise, the only failure is `storage.unavailable`.
 */
export interface DownloadsClientStore {
  /**
   * Stores the client, or returns the stored client with the same `clientId`.
   *
   * Concurrent calls return the same client. Fails with `app.unknown` if the app of a new client
   * does not exist, checked in the same atomic step. The app may be disabled.
   */
  insertOnce(client: DownloadsClient): ResultAsync<DownloadsClient, UnknownAppFailure | StorageFailure>;
  /** Returns the client with this id. */
  find(clientId: string): ResultAsync<DownloadsClient | undefined, StorageFailure>;
  /**
   * Returns the cached client, at most one second old, without access to storage.
   *
   * `undefined` if the client is not cached.
   */
  getCached(clientId: string): DownloadsClient | undefined;
  /** Lists every client, by id. */
  list(): ResultAsync<readonly DownloadsClient[], StorageFailure>;
}
