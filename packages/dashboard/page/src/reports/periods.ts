import { addDays, addMonths, isDay } from "../language/business-day.js";

/** Returns the month or day some months or days later, or earlier. */
export function addPeriods(period: string, count: number): string {
  return isDay(period) ? addDays(period, count) : addMonths(period, count);
}

/** The first and the last day of consecutive days. */
export interface DayRange {
  readonly from: string;
  readonly until: string;
}

/** Returns sorted days as ranges without a gap. */
export function dayRanges(days: readonly string[]): readonly DayRange[] {
  const ranges: DayRange[] = [];
  for (const day of days) {
    const last = ranges.at(-1);
    if (last !== undefined && addDays(last.until, 1) === day)
      ranges[ranges.length - 1] = { from: last.from, until: day };
    else ranges.push({ from: day, until: day });
  }
  return ranges;
}
