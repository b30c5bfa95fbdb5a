import type { ResultAsync } from "neverthrow";
import type { UnknownAppFailure } from "../apps/unknown-app.js";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { DownloadsClient, DownloadsClientTerms } from "./daily-count.js";

/**
 * Stores downloads clients, a small table. Tested by `downloadsClientStoreContract`.
 *
 * Unless a method states otherwise, the only failure is a {@link StorageFailure}.
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
   * Replaces the terms if they are `previous`, and returns the stored client.
   *
   * Returns `undefined` for a client that does not exist. If the terms were `previous`, the same
   * step appends `audit` to the audit log. Of concurrent calls with the same `previous`, one
   * replaces the terms, unless its `next` equals `previous`.
   */
  change(
    clientId: string,
    previous: DownloadsClientTerms,
    next: DownloadsClientTerms,
    audit?: AuditEntry,
  ): ResultAsync<DownloadsClient | undefined, StorageFailure>;
  /**
   * Sets the end of a client and stores its successor in one step, if the terms are `previous`.
   *
   * The same step appends `audit`. Of concurrent calls with the same `previous`, one returns true.
   *
   * @param successor - a client with a new id.
   * @returns whether the step was done. If not, nothing is stored.
   */
  succeed(
    clientId: string,
    previous: DownloadsClientTerms,
    endsAt: number,
    successor: DownloadsClient,
    audit?: AuditEntry,
  ): ResultAsync<boolean, StorageFailure>;
  /** Returns the client with this id. */
  find(clientId: string): ResultAsync<DownloadsClient | undefined, StorageFailure>;
  /**
   * Returns the cached client, at most one second old, without access to storage.
   *
   * `undefined` if the client is not cached.
   */
  getCached(clientId: string): DownloadsClient | undefined;
  /** Lists every client, sorted by id. */
  list(): ResultAsync<readonly DownloadsClient[], StorageFailure>;
}
