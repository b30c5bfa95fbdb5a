import type { ResultAsync } from "neverthrow";
import type { UnknownAppFailure } from "../apps/unknown-app.js";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { DownloadsClient } from "./daily-count.js";

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
   * does not exist, checked in the same atomic step. The app may be disabled. If the client is
   * stored, the same step appends `audit` to the audit log.
   */
  insertOnce(
    client: DownloadsClient,
    audit?: AuditEntry,
  ): ResultAsync<DownloadsClient, UnknownAppFailure | StorageFailure>;
  /**
   * Replaces the limit if it is `previous`, and returns the stored client.
   *
   * Returns `undefined` for a client that does not exist. If the limit was `previous`, the same
   * step appends `audit` to the audit log. Of concurrent calls with one `previous`, one replaces
   * it, unless it sets the same limit again.
   */
  setDailyLimit(
    clientId: string,
    previous: number,
    dailyLimit: number,
    audit?: AuditEntry,
  ): ResultAsync<DownloadsClient | undefined, StorageFailure>;
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
