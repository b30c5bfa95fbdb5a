import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { App, AppSecret } from "./app.js";

/**
 * Where apps live: a small table, read on every request. Proved by `appStoreContract` in `@tillkit/contract-tests`.
 * The only failure is `storage.unavailable`; "no such app" is a value.
 */
export interface AppStore {
  /** Stores `app`, or returns the one already held for its `appId`. Concurrent calls agree on one. */
  insertOnce(app: App): ResultAsync<App, StorageFailure>;
  /** The app called `appId`, disabled ones included. */
  find(appId: string): ResultAsync<App | undefined, StorageFailure>;
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
  /** Locks the app out, or lets it in again. */
  setDisabled(appId: string, disabled: boolean, at: number): ResultAsync<App | undefined, StorageFailure>;
}
