import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { AuthCode } from "./session.js";

/**
 * Stores SMS codes: at most one live code per app and phone number. Tested by `codeStoreContract`.
 *
 * The only failure is `storage.unavailable`.
 */
export interface CodeStore {
  /** Stores `code` as the only live code of its app and phone number, with no attempts counted. */
  replace(code: AuthCode): ResultAsync<void, StorageFailure>;
  /** Removes the code, unless another code has replaced it. */
  drop(code: Pick<AuthCode, "appId" | "phoneHash" | "codeHash">): ResultAsync<void, StorageFailure>;
  /**
   * Counts an attempt, then compares the code, in one atomic step.
   *
   * - `matched`: the code is right and is now consumed. Of concurrent right attempts, one matches.
   * - `exhausted`: at least `maxTries` attempts, right or wrong, were counted before this one.
   * - `wrong`: the code is different, expired, consumed or absent.
   *
   * @param now - Epoch milliseconds.
   */
  attempt(
    code: Pick<AuthCode, "appId" | "phoneHash" | "codeHash">,
    now: number,
    maxTries: number,
  ): ResultAsync<"matched" | "wrong" | "exhausted", StorageFailure>;
  /**
   * Removes up to `limit` codes that expired before `before`, and returns how many.
   *
   * A code that replaces an expired one during the call stays. Each of several concurrent calls
   * counts only the codes that it removed itself. Calls that collide may leave some codes for the
   * next call.
   *
   * @param before - Epoch milliseconds.
   */
  removeExpired(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
