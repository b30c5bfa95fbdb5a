import { err, ok, type Result } from "neverthrow";
import { dateText, DAY, dayNumber } from "../shared/date.js";
import type { DownloadsFailure } from "./report.js";

/** A range of dates, `YYYY-MM-DD`, including both ends. */
export interface DateRange {
  readonly start: string;
  readonly end: string;
}

/**
 * Reads a range of dates.
 *
 * Fails if a date does not exist, if `start` is later than `end`, or if the range has more than
 * `maxDays` days, which is `policy.maxReportDays`.
 */
export function readDateRange(
  start: string,
  end: string,
  maxDays: number,
): Result<DateRange, DownloadsFailure> {
  const first = dayNumber(start);
  const last = dayNumber(end);
  if (first === undefined || last === undefined) return err({ name: "downloads.invalid-date" });
  if (first > last) return err({ name: "downloads.invalid-date-range" });
  if (last - first + 1 > maxDays) return err({ name: "downloads.date-range-too-long", maxDays });
  return ok({ start, end });
}

/** Returns every day of the range, oldest first. */
export function daysOf({ start, end }: DateRange): readonly string[] {
  const first = dayNumber(start) ?? 0;
  const length = (dayNumber(end) ?? -1) - first + 1;
  const days: string[] = [];
  while (days.length < length) {
    const date = dateText((first + days.length) * DAY);
    days.push(date);
    // Up to the 28th, all months are alike. A `Date` per day would cost as much as reading the
    // counts.
    for (let day = Number(date.slice(8)) + 1; day <= 28 && days.length < length; day += 1)
      days.push(`${date.slice(0, 8)}${String(day).padStart(2, "0")}`);
  }
  return days;
}
