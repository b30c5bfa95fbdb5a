import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { App, AppRules, AppSecret } from "./app.js";

/**
 * Stores apps. Each request of the payments API reads the app of its caller.
 *
 * The only failure is a {@link StorageFailure}. A method returns `undefined` for an app that does
 * not exist. If a method with the parameter `audit` changes something, it appends this entry to the
 * audit log in the same step. `appStoreContract` of `@tillkit/contract-tests` tests an
 * implementation.
 */
export interface AppStore {
  /**
   * Stores the app unless its `appId` exists, and returns the stored app.
   *
   * Concurrent calls with one `appId` all return the same app.
   */
  insertOnce(app: App, audit?: AuditEntry): ResultAsync<App, StorageFailure>;
  /** Returns the app with this `appId`, also if it is disabled. */
  find(appId: string): ResultAsync<App | undefined, StorageFailure>;
  /**
   * Returns the cached result of `find` if it is at most one second old. Does not query storage.
   *
   * Once a change through this store has begun, never returns a value from before the change. A
   * lookup that started before the end of the change is not cached. Changes by other processes, and
   * changes that failed but took effect, show within one second.
   */
  getCached(appId: string): App | undefined;
  /** Returns all apps, sorted by `appId`. */
  list(): ResultAsync<readonly App[], StorageFailure>;
  /**
   * Adds a secret and makes it the app's newest one.
   *
   * The previous secret ends at `previousEndsAt`, or earlier if it already had an earlier end. All
   * older secrets are deleted. So at most two secrets are live, also after concurrent calls.
   *
   * @param previousEndsAt - epoch milliseconds.
   */
  addSecret(
    appId: string,
    secret: AppSecret,
    previousEndsAt: number,
    audit?: AuditEntry,
  ): ResultAsync<App | undefined, StorageFailure>;
  /**
   * Disables or enables the app. A concurrent `addSecret` is not lost.
   *
   * @param at - epoch milliseconds; becomes `gmtModified`.
   */
  setDisabled(
    appId: string,
    disabled: boolean,
    at: number,
    audit?: AuditEntry,
  ): ResultAsync<App | undefined, StorageFailure>;
  /**
   * Changes the account mode and the identity checks. Rules that are absent in `rules` stay.
   *
   * Concurrent calls that change different rules are all kept, and so are concurrent changes by
   * other methods. The store adds all previous rules to the detail of `audit`, with
   * `entryWithBefore`.
   *
   * @param at - epoch milliseconds; becomes `gmtModified`.
   */
  setRules(
    appId: string,
    rules: AppRules,
    at: number,
    audit?: AuditEntry,
  ): ResultAsync<App | undefined, StorageFailure>;
}
