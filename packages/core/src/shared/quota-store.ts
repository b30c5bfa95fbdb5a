import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

/** What is counted. */
export const QUOTA_SCOPES = [
  "sms",
  "sms-app",
  "sms-app-country",
  "sms-country",
  "sms-host",
  "wrong-codes-app",
  "unasked-codes-app",
  "downloads",
  "bills",
  "operator-sign-in",
] as const;
/** One of {@link QUOTA_SCOPES}. */
export type QuotaScope = (typeof QUOTA_SCOPES)[number];

/** The counter: what is counted, and for which subject. */
export interface QuotaKey {
  readonly scope: QuotaScope;
  /**
   * What the counter belongs to. Its form depends on `scope`.
   *
   * For example the keyed phone hash, the app's id, the country, the app's id and the country as
   * `app_1/CN`, or the id of the downloads client. Storage is partitioned by the subject.
   */
  readonly subject: string;
}

/** A request for one unit of a day's quota. */
export interface QuotaTake {
  /** The business day, `YYYY-MM-DD`, or a period of it: `YYYY-MM-DD/` and a name. */
  readonly day: string;
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /**
   * The minimum time since the last unit granted with a spacing, in milliseconds.
   *
   * 0 turns the check off. The next unit then needs no pause after this unit either.
   */
  readonly spacing: number;
}

/** Whether the unit was granted, and how many units of the day are used now. */
export interface QuotaGrant {
  readonly granted: boolean;
  readonly used: number;
  /**
   * When the spacing allows the next unit, epoch milliseconds.
   *
   * Present if the unit was refused and the day has units left.
   */
  readonly retryAt?: number;
}

/** The used units of a counter. */
export interface QuotaUse extends QuotaKey {
  readonly used: number;
}

/**
 * Stores daily counters. Tested by `quotaStoreContract`.
 *
 * The only failure is a {@link StorageFailure}; no unit is granted in that case.
 */
export interface QuotaStore {
  /**
   * Takes one unit of the day in one atomic step.
   *
   * Grants nothing if `limit` units are used, or if the last unit with a spacing was granted less
   * than `spacing` ago. Concurrent calls never get more than `limit` units together.
   */
  take(key: QuotaKey, unit: QuotaTake): ResultAsync<QuotaGrant, StorageFailure>;
  /**
   * Gives one used unit of the day back. Changes nothing if no unit of the day is used.
   *
   * The spacing stays, so that calls which another service refuses are limited as well.
   */
  giveBack(key: QuotaKey, day: string): ResultAsync<void, StorageFailure>;
  /** Returns the used units of the day. */
  find(key: QuotaKey, day: string): ResultAsync<number, StorageFailure>;
  /** Returns up to `limit` counters of `day` with used units, those with the most units first. */
  list(day: string, limit: number): ResultAsync<readonly QuotaUse[], StorageFailure>;
  /**
   * Removes up to `limit` counters of days before `day`, and returns the number of removed
   * counters.
   *
   * Counters of `day` and later stay. Each of several concurrent calls counts only the counters
   * that it removed itself. Calls that collide may leave some counters for the next call.
   *
   * @param day - `YYYY-MM-DD`.
   */
  removeBefore(day: string, limit: number): ResultAsync<number, StorageFailure>;
  /**
   * Removes up to `limit` times of units with a spacing, if they are before `before`.
   *
   * Returns the number of removed times.
   *
   * A unit that is granted during the call keeps its time.
   *
   * @param before - Epoch milliseconds.
   */
  removeSpacings(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
