import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { PayChannel, PayTool, WalletAccount } from "./pay-tool.js";

/**
 * Stores pay tools and their wallet credentials: a small table, needed on every creation.
 *
 * Credentials are encrypted at rest wherever they are written to a disk. What is stored for a merchant of
 * an app does not decrypt in any other row: then `find` and `current` fail. Proved by
 * `payToolStoreContract`. The only failure is `storage.unavailable`.
 */
export interface PayToolStore {
  /**
   * Makes `account` the app's current tool of its channel. When the current one has the same `accountId`, `walletAppId` and `appEnv`,
   * it keeps its `id` and `gmtCreate` and takes everything else: keys rotate in place. Otherwise the old one is kept aside for the
   * orders made with it, still to be had by `find`. Concurrent calls leave one current tool a channel.
   */
  put(account: WalletAccount): ResultAsync<WalletAccount, StorageFailure>;
  /** The tool new orders of this channel use. */
  current(appId: string, payChannel: PayChannel): ResultAsync<WalletAccount | undefined, StorageFailure>;
  /**
   * The tool as `current` gave it at most one second ago, without asking storage; `undefined` when it did not. Never as it was before a `put`
   * through this store: from the moment that begins until it is done nothing older is recalled, and what began to be read before leaves
   * nothing behind. Recalled twice it is the same object, so that what is made of its credentials can be found by them.
   */
  recallCurrent(appId: string, payChannel: PayChannel): WalletAccount | undefined;
  /** The tool called `id`, whether current or kept aside. */
  find(id: string): ResultAsync<WalletAccount | undefined, StorageFailure>;
  /** The tool as `find` gave it at most one second ago, as `recallCurrent` does with that of `current`. */
  recall(id: string): WalletAccount | undefined;
  /** The app's current tools, by channel, without their credentials. */
  list(appId: string): ResultAsync<readonly PayTool[], StorageFailure>;
  /** Every tool of every app, current or kept aside, by `id`, without its credentials: for bills, which are made for merchants. */
  listAll(): ResultAsync<readonly PayTool[], StorageFailure>;
}
