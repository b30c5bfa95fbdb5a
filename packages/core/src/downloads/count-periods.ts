import { dateText, DAY, dayNumber } from "../shared/date.js";
import type { DateRange } from "./date-range.js";

/** The lengths of the periods of a report. A week starts on Monday. */
export const PERIOD_LENGTHS = ["day", "week", "month"] as const;
/** One length of the periods of a report. */
export type PeriodLength = (typeof PERIOD_LENGTHS)[number];

/** A part of a range, including both ends, `YYYY-MM-DD`. */
export interface CountPeriod {
  readonly from: string;
  readonly until: string;
}

/**
 * Divides a range into periods, oldest first. The first one begins with the range, and the last one
 * ends with it.
 *
 * @returns the periods, and the position of the period of each day of the range.
 * @example
 * ```ts
 * import { countPeriods } from "@tillkit/core/operators";
 *
 * const { periods } = countPeriods({ start: "2026-01-30", end: "2026-02-02" }, "month");
 * console.log(periods.length); // 2
 * ```
 */
export function countPeriods(
  { start, end }: DateRange,
  length: PeriodLength,
): { readonly periods: readonly CountPeriod[]; readonly periodOf: readonly number[] } {
  const first = dayNumber(start) ?? 0;
  const last = dayNumber(end) ?? -1;
  const periods: CountPeriod[] = [];
  const periodOf: number[] = [];
  let open: { readonly key: string; readonly from: string } | undefined;
  for (let day = first; day <= last; day += 1) {
    const date = dateText(day * DAY);
    const key = keyOf(day, date, length);
    if (open?.key !== key) open = { key, from: date };
    if (open.from === date) periods.push({ from: date, until: date });
    else periods[periods.length - 1] = { from: open.from, until: date };
    periodOf.push(periods.length - 1);
  }
  return { periods, periodOf };
}

function keyOf(day: number, date: string, length: PeriodLength): string {
  switch (length) {
    case "day":
      return date;
    // Day 0 is 1970-01-01, a Thursday.
    case "week":
      return String(Math.floor((day + 3) / 7));
    case "month":
      return date.slice(0, 7);
  }
}
