import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

/** The counter: what is counted, and for which subject. */
export interface QuotaKey {
  readonly scope: "sms" | "code-tries" | "downloads" | "bills" | "operator-sign-in";
  /**
   * The keyed phone hash, the id of the downloads client, the bill comparison, or a hash of what an
   * operator's sign-in is counted for.
   *
   * Storage is partitioned by it.
   */
  readonly subject: string;
}

/** A request for one unit of a day's quota. */
export interface QuotaTake {
  /** The business day, `YYYY-MM-DD`. */
  readonly day: string;
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /**
   * The minimum time since the last unit granted with a spacing, in milliseconds.
   *
   * 0 turns the check off, and the next unit then needs no pause after this one.
   */
  readonly spacing: number;
}

/** Whether the unit was granted, and how many units of the day are used now. */
export interface QuotaGrant {
  readonly granted: boolean;
  readonly used: number;
}

/**
 * Stores daily counters. Tested by `quotaStoreContract`.
 *
 * The only failure is `storage.unavailable`; no unit is granted in that case.
 */
export interface QuotaStore {
  /**
   * Takes one unit of the day in one atomic step.
   *
   * Grants nothing if `limit` units are used, or if the last spaced unit was granted less than
   * `spacing` ago. Concurrent calls never get more than `limit` units together.
   */
  take(key: QuotaKey, unit: QuotaTake): ResultAsync<QuotaGrant, StorageFailure>;
  /**
   * Returns one unit of the day. Changes nothing if no unit of the day is used.
   *
   * Also deletes the time of the last spaced unit, so that the subject can retry immediately.
   */
  giveBack(key: QuotaKey, day: string): ResultAsync<void, StorageFailure>;
  /**
   * Removes up to `limit` counters of days before `day`, and returns how many.
   *
   * Counters of `day` and later stay. Each of several concurrent calls counts only the counters
   * that it removed itself. Calls that collide may leave some counters for the next call.
   *
   * @param day - `YYYY-MM-DD`.
   */
  removeBefore(day: string, limit: number): ResultAsync<number, StorageFailure>;
  /**
   * Removes up to `limit` times of spaced units granted before `before`, and returns how many.
   *
   * A unit that is granted during the call keeps its time.
   *
   * @param before - Epoch milliseconds.
   */
  removeSpacings(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
