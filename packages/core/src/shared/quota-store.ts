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
  /** The shortest time between two granted units, in milliseconds; 0 for none. */
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
   * Takes one unit of the day, unless `limit` units are used or the last one was granted less than `spacing` ago. Never more than `limit` are granted,
   * whatever the concurrency.
   */
  take(key: QuotaKey, unit: QuotaTake): ResultAsync<QuotaGrant, StorageFailure>;
  /**
   * Returns one unit of the day; never below zero. With it goes the time of the last unit granted: the next one is not refused for being
   * too soon after it, so that what came to nothing can be tried again at once. Where no unit of the day is used, nothing changes.
   */
  giveBack(key: QuotaKey, day: string): ResultAsync<void, StorageFailure>;
}
