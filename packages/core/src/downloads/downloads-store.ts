import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { DailyCount, DownloadsClient } from "./daily-count.js";

/** Where daily download counts live. Proved by `downloadsSourceContract`. The only failure is `storage.unavailable`. */
export interface DownloadsSource {
  /** The app's counts from `start` to `end`, both included (`YYYY-MM-DD`), by store, then by date. Days without a row are left out. */
  read(appId: string, start: string, end: string): ResultAsync<readonly DailyCount[], StorageFailure>;
  /** Sets the counts of each (app, store, day): writing the same twice changes nothing. All of them or none. */
  upsert(counts: readonly DailyCount[]): ResultAsync<void, StorageFailure>;
  /** Adds to the counts of one (app, store, day). Concurrent calls all count. */
  increment(count: DailyCount): ResultAsync<void, StorageFailure>;
}

/** Where downloads clients live: a small table. Proved by `downloadsClientStoreContract`. The only failure is `storage.unavailable`. */
export interface DownloadsClientStore {
  /** Keeps the client unless its `clientId` is taken, and returns whichever is kept. Concurrent calls agree. */
  insertOnce(client: DownloadsClient): ResultAsync<DownloadsClient, StorageFailure>;
  /** The client with this id. */
  find(clientId: string): ResultAsync<DownloadsClient | undefined, StorageFailure>;
  /** Every client, by id. */
  list(): ResultAsync<readonly DownloadsClient[], StorageFailure>;
}
