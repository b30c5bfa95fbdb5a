/** The milliseconds of a day. */
export const DAY = 86_400_000;

/**
 * Returns whether `text` is an existing date, `YYYY-MM-DD`, from the year 0001 on.
 *
 * Databases do not have the year 0000.
 *
 * @returns true if the calendar has the date.
 * @example
 * ```ts
 * import { isDate } from "@tillkit/core/operators";
 *
 * console.log(isDate("2026-02-28"), isDate("2026-02-29")); // true false
 * ```
 */
export function isDate(text: string): boolean {
  return dayNumber(text) !== undefined;
}

/** Returns the days from 1970-01-01 to the date `text`, or `undefined` if it is not a date. */
export function dayNumber(text: string): number | undefined {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || dateText(time) !== text ? undefined : time / DAY;
}

/** Returns the date `days` days after the date `day`, or before it if `days` is negative. */
export function daysAfter(day: string, days: number): string {
  return dateText(((dayNumber(day) ?? 0) + days) * DAY);
}

/**
 * Formats an instant as its UTC date, `YYYY-MM-DD`.
 *
 * @param time - Epoch milliseconds.
 */
export function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
