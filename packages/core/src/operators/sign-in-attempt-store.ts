import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

/** What an attempt counts for, such as a name or an address, and how many attempts it may have. */
export interface AttemptSubject {
  /** A hash, because an entered name can have any length, and can be a password by mistake. */
  readonly subject: string;
  /** The maximum number of attempts that count at the same time. */
  readonly limit: number;
}

/** An attempt. Times are epoch milliseconds. */
export interface AttemptTake {
  readonly at: number;
  /** How long an attempt counts, in milliseconds. */
  readonly window: number;
}

/** Whether an attempt may be made. */
export type AttemptGrant =
  | { readonly granted: true }
  | {
      readonly granted: false;
      /** The first time at which every subject has an attempt again, epoch milliseconds. */
      readonly retryAt: number;
    };

/**
 * Counts the wrong attempts of operators to sign in. Tested by `signInAttemptStoreContract`.
 *
 * Every method is one atomic step. The only failure is a {@link StorageFailure}.
 */
export interface SignInAttemptStore {
  /**
   * Counts one attempt for every subject, unless one of them has used its limit.
   *
   * An attempt counts for `window` milliseconds, so that no period of this length has more attempts
   * than the limit. A refused attempt does not count. Concurrent calls never get more than the
   * limit together.
   */
  take(subjects: readonly AttemptSubject[], attempt: AttemptTake): ResultAsync<AttemptGrant, StorageFailure>;
  /** Removes one attempt of the time `at` from each subject that has one. */
  giveBack(subjects: readonly string[], at: number): ResultAsync<void, StorageFailure>;
  /**
   * Removes up to `limit` subjects whose last attempt was made before `before`, and returns how
   * many.
   *
   * @param before - epoch milliseconds.
   */
  removeBefore(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
