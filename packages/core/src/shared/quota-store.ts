import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";

/** What is counted, for whom. */
export interface QuotaKey {
  readonly scope: "sms" | "code-tries" | "downloads";
  /** Keyed phone hash, or downloads client id: storage spreads by it. */
  readonly subject: string;
}

/** One unit to be taken from a day's quota. */
export interface QuotaTake {
  /** The business day, `YYYY-MM-DD`. */
  readonly day: string;
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /**
   * The shortest time, in milliseconds, since the last unit that was granted with a spacing. 0 for none: then the unit is granted at any time, and the
   * next one is not spaced from it.
   */
  readonly spacing: number;
}

/** Whether the unit was granted, and how many of the day are used now. */
export interface QuotaGrant {
  readonly granted: boolean;
  readonly used: number;
}

/**
 * Daily counters. Proved by `quotaStoreContract`. The only failure is `storage.unavailable`; nothing is granted then.
 */
export interface QuotaStore {
  /**
   * Takes one unit of the day, unless `limit` units are used or the last spaced one was granted less than `spacing` ago. Never more than `limit` are granted,
   * whatever the concurrency.
   */
  take(key: QuotaKey, unit: QuotaTake): ResultAsync<QuotaGrant, StorageFailure>;
  /**
   * Returns one unit of the day; never below zero. With it goes the time of the last unit granted: the next one is not refused for being
   * too soon after it, so that what came to nothing can be tried again at once. Where no unit of the day is used, nothing changes.
   */
  giveBack(key: QuotaKey, day: string): ResultAsync<void, StorageFailure>;
  /**
   * Forgets up to `limit` counters of days before `day` (`YYYY-MM-DD`), and says how many. Those of `day` and later stay, and of concurrent calls each
   * counts counters of its own; one that meets another may leave some for the next call.
   */
  removeBefore(day: string, limit: number): ResultAsync<number, StorageFailure>;
  /**
   * Forgets up to `limit` times of last units that were granted before `before`, epoch milliseconds, and says how many: a spacing that began then no
   * longer holds. A unit granted meanwhile keeps its spacing.
   */
  removeSpacings(before: number, limit: number): ResultAsync<number, StorageFailure>;
}
