import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { TryLimits } from "./code-tries.js";
import type { AuthCode } from "./session.js";

/** Identifies a code among the codes of its app and phone number. */
export type AuthCodeKey = Pick<AuthCode, "appId" | "phoneHash" | "codeHash">;

/**
 * Stores SMS codes: at most two live codes per app and phone number, and the day's wrong attempts.
 *
 * A code is live if it is one of the two newest codes of its number and has not expired. Tested by
 * `codeStoreContract`.
 *
 * The only failure is a {@link StorageFailure}.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/sms-limits.md |
 *   SMS login limits are counted atomically, before the action}
 */
export interface CodeStore {
  /**
   * Adds `code` as the newest code of its app and phone number, in one atomic step.
   *
   * Earlier codes stay stored, so that {@link CodeStore.drop} makes them live again. Attempts that
   * were counted before do not count against the new code.
   *
   * - `alone`: no other code of the number is live.
   * - `beside`: an earlier code is live as well.
   * - `locked`: the day's wrong attempts are used up. Nothing was stored.
   */
  add(
    code: AuthCode,
    limits: Pick<TryLimits, "now" | "perDay">,
  ): ResultAsync<"alone" | "beside" | "locked", StorageFailure>;
  /** Removes the codes that are older than `code`, if it is stored. */
  dropEarlier(code: AuthCodeKey): ResultAsync<void, StorageFailure>;
  /** Removes the code, and leaves the others as they are. */
  drop(code: AuthCodeKey): ResultAsync<void, StorageFailure>;
  /**
   * Compares a code with the live codes and counts the attempt, in one atomic step.
   *
   * - `matched`: the code is right. Removes all codes of the number. Of concurrent right attempts,
   *   one matches.
   * - `wrong`: the code is different. Counts against each live code and against the day.
   * - `none`: no code is live. Counts nothing.
   * - `exhausted`: each live code has used its attempts. Counts nothing.
   * - `locked`: the day's wrong attempts are used up. Counts nothing.
   */
  attempt(
    code: AuthCodeKey,
    limits: TryLimits,
  ): ResultAsync<"matched" | "wrong" | "none" | "exhausted" | "locked", StorageFailure>;
  /**
   * Removes the codes and counts of up to `limit` phone numbers, and returns how many numbers.
   *
   * Removes a number if its codes expired and its day of wrong attempts ended before `before`. A
   * number that gets a code during the call stays. Each of several concurrent calls counts only the
   * numbers that it removed itself. Calls that collide may leave some for the next call.
   *
   * @param before - Epoch milliseconds.
   */
  removeExpired(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
