import { businessDay, type BusinessDay } from "../shared/business-day.js";

/** Both wallets define the day of a bill in China's time zone. */
const CHINA = "Asia/Shanghai";

/**
 * Returns the day in China that the wallets' bills of `date` cover.
 *
 * No wallet provides the bill before the day has ended.
 *
 * @param date - `YYYY-MM-DD`.
 * @returns the day, with its first instant and the first instant after it.
 * @example
 * ```ts
 * import { billDay } from "@tillkit/core";
 *
 * const day = billDay("2026-01-15");
 * ```
 */
export function billDay(date: string): BusinessDay {
  return businessDay(CHINA, Date.parse(`${date}T12:00:00+08:00`));
}

/**
 * Returns the last day in China that has ended at `now`, `YYYY-MM-DD`.
 *
 * The wallets create the bills of that day in the morning after it.
 *
 * @param now - Epoch milliseconds.
 * @returns the day, `YYYY-MM-DD`.
 * @example
 * ```ts
 * import { lastBillDay } from "@tillkit/core";
 *
 * const day = lastBillDay(ports.clock.now());
 * ```
 */
export function lastBillDay(now: number): string {
  return businessDay(CHINA, businessDay(CHINA, now).startsAt - 1).date;
}
