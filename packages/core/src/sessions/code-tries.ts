import type { Err } from "neverthrow";
import { secondsUntil } from "../shared/seconds-until.js";
import { fail, type FailureOf } from "../errors/failure.js";
import type { AuthCode } from "./session.js";

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
  /** The number of wrong attempts that one code allows. After them, the code opens no session. */
  readonly perCode: number;
  /** The number of wrong attempts that are allowed per app, phone number and business day. */
  readonly perDay: number;
}

/** The codes of one app and phone number, and its wrong attempts. */
export interface HeldCodes {
  /** Newest first. `triesBefore` is the value of `tries` when the code was added. */
  readonly codes: readonly { readonly code: AuthCode; readonly triesBefore: number }[];
  /** Wrong attempts while a code was live. */
  readonly tries: number;
  /** Wrong attempts of the day that ends at `dayEndsAt`, epoch milliseconds. */
  readonly dayTries: number;
  readonly dayEndsAt: number;
}

/**
 * Decides about an attempt. `CodeStore.attempt` describes the outcomes.
 *
 * Stores in memory call it. The statement `code_attempt` of `@tillkit/postgres` repeats it in SQL.
 */
export function codeAttemptOutcome(
  held: HeldCodes,
  codeHash: string,
  { now, perCode, perDay }: TryLimits,
): "matched" | "wrong" | "none" | "exhausted" | "locked" {
  if (triesOfDay(held, now) >= perDay) return "locked";
  // An earlier code stays live while it is unknown whether the newer message was sent.
  const live = held.codes.slice(0, 2).filter(({ code }) => isLiveCode(code, now));
  if (live.length === 0) return "none";
  const open = live.filter(({ triesBefore }) => held.tries - triesBefore < perCode);
  if (open.length === 0) return "exhausted";
  return open.some(({ code }) => code.codeHash === codeHash) ? "matched" : "wrong";
}

/** Returns the wrong attempts of the current business day. */
export function triesOfDay({ dayTries, dayEndsAt }: HeldCodes, now: number): number {
  return now < dayEndsAt ? dayTries : 0;
}

/** Returns whether a code has not expired. */
export function isLiveCode({ expiresAt }: Pick<AuthCode, "expiresAt">, now: number): boolean {
  return now < expiresAt;
}

/** Returns the failure of a phone number whose wrong attempts of the day are used up. */
export function lockedUntil(dayEndsAt: number, now: number): Err<never, FailureOf<"mobile-no.locked">> {
  return fail("mobile-no.locked", { retryAfter: secondsUntil(dayEndsAt, now) });
}
