import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { PayChannel, PayTool, WalletAccount } from "./pay-tool.js";

/**
 * Stores pay tools and their wallet credentials. Every creation of an order reads one.
 *
 * An adapter that writes to a disk encrypts the credentials. The ciphertext is bound to its
 * merchant and app: in another row it does not decrypt, and `find` and `current` fail. The only
 * failure is `storage.unavailable`. `payToolStoreContract` of `@tillkit/contract-tests` tests an
 * implementation.
 */
export interface PayToolStore {
  /**
   * Makes `account` the current pay tool of its app and channel, and returns it as stored.
   *
   * If the current one has the same `accountId`, `walletAppId` and `appEnv`, it keeps its `id` and
   * `gmtCreate`, and everything else is replaced. Otherwise the old one is kept for its orders, and
   * `find` still returns it. After concurrent calls, each channel has one current pay tool.
   * Appends `audit` to the audit log in the same step.
   */
  put(account: WalletAccount, audit?: AuditEntry): ResultAsync<WalletAccount, StorageFailure>;
  /**
   * Replaces `before` by `after` if the pay tool is still stored as `before`.
   *
   * Changes the credentials, the labels, `walletOptions`, `signStatus` and `gmtModified`. All other
   * members of `before` and `after` are equal. Also replaces a pay tool that is no longer current.
   * Of concurrent calls with the same `before`, one replaces it. Appends `audit` to the audit log
   * in the same step.
   *
   * @returns whether it was replaced. If not, read the pay tool again.
   */
  replace(
    before: WalletAccount,
    after: WalletAccount,
    audit?: AuditEntry,
  ): ResultAsync<boolean, StorageFailure>;
  /** Returns the pay tool that new orders of this channel use. */
  current(appId: string, payChannel: PayChannel): ResultAsync<WalletAccount | undefined, StorageFailure>;
  /**
   * Returns the cached result of `current` if it is at most one second old. Does not query storage.
   *
   * Never returns a value from before a `put` or `replace` through this store. While such a call
   * runs, this method returns nothing older, and does not cache a lookup that started earlier.
   * Repeated calls return the same object, so that values derived from its credentials can be
   * cached by object identity.
   */
  getCachedCurrent(appId: string, payChannel: PayChannel): WalletAccount | undefined;
  /** Returns the pay tool with this id, also if it is no longer current. */
  find(id: string): ResultAsync<WalletAccount | undefined, StorageFailure>;
  /** Returns the cached result of `find` if it is at most one second old. */
  getCached(id: string): WalletAccount | undefined;
  /** Returns the app's current pay tools, sorted by channel, without credentials. */
  list(appId: string): ResultAsync<readonly PayTool[], StorageFailure>;
  /**
   * Returns all pay tools of all apps, sorted by `id`, without credentials.
   *
   * Includes pay tools that are no longer current. For example for bills, which belong to a
   * merchant and not to an app.
   */
  listAll(): ResultAsync<readonly PayTool[], StorageFailure>;
}
