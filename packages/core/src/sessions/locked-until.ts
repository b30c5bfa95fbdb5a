import type { Err } from "neverthrow";
import { secondsUntil } from "../shared/seconds-until.js";
import { fail, type FailureOf } from "../errors/failure.js";

/** Returns the failure of a phone number whose wrong attempts of the day are used up. */
export function lockedUntil(dayEndsAt: number, now: number): Err<never, FailureOf<"mobile-no.locked">> {
  return fail("mobile-no.locked", { retryAfter: secondsUntil(dayEndsAt, now) });
}
