import type { Err } from "neverthrow";
import { secondsUntil } from "../shared/seconds-until.js";
import { fail, type FailureOf } from "../errors/failure.js";

/**
 * The limits of wrong attempts at a code, from `policy.codeTries` and `policy.codeTriesPerDay`.
 *
 * `CodeStore.attempt` says which attempts count. A store compares and counts in one atomic step.
 */
export interface TryLimits {
  /** Epoch milliseconds. */
  readonly now: number;
  /** When the business day of `now` ends, epoch milliseconds. The count of the day ends then. */
  readonly dayEndsAt: number;
  /** The wrong attempts that one code allows. After them it opens no session. */
  readonly perCode: number;
  /** The wrong attempts that one app and phone number allow in a business day. */
  readonly perDay: number;
}

/** Returns the failure of a phone number whose wrong attempts of the day are used up. */
export function lockedUntil(dayEndsAt: number, now: number): Err<never, FailureOf<"mobile-no.locked">> {
  return fail("mobile-no.locked", { retryAfter: secondsUntil(dayEndsAt, now) });
}
