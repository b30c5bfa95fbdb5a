import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { App, AppSecret } from "./app.js";

/**
 * Where apps live: a small table, needed on every request. Proved by `appStoreContract` in `@tillkit/contract-tests`.
 * It fails only with `storage.unavailable`; an app that is not there is `undefined`.
 */
export interface AppStore {
  /** Keeps the app unless its `appId` is taken, and returns whichever is kept. Concurrent calls agree on one. */
  insertOnce(app: App): ResultAsync<App, StorageFailure>;
  /** The app called `appId`, disabled ones included. */
  find(appId: string): ResultAsync<App | undefined, StorageFailure>;
  /**
   * The app as `find` gave it at most one second ago, without asking storage; `undefined` when it did not. Never as it was before a change
   * made through this store: from the moment a change begins until it is done nothing older is recalled, and a `find` that began before
   * leaves nothing behind. What another process changes, or a change that failed and took effect all the same, shows within that second.
   */
  recall(appId: string): App | undefined;
  /** Every app, by `appId`. */
  list(): ResultAsync<readonly App[], StorageFailure>;
  /**
   * Makes `secret` the app's newest. The secret that was newest ends at `previousEndsAt` unless it ends sooner; every older one
   * is dropped. So at most two are live, also after concurrent calls. Source: BEHAVIOUR, "Authentication", rotation.
   */
  addSecret(
    appId: string,
    secret: AppSecret,
    previousEndsAt: number,
  ): ResultAsync<App | undefined, StorageFailure>;
  /** Locks the app out, or lets it in again. Of this and a concurrent `addSecret` neither is lost. */
  setDisabled(appId: string, disabled: boolean, at: number): ResultAsync<App | undefined, StorageFailure>;
}
