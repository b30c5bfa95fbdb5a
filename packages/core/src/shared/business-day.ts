import { TZDate } from "@date-fns/tz/date";
import { addDays } from "date-fns/addDays";
import { formatISO } from "date-fns/formatISO";
import { startOfDay } from "date-fns/startOfDay";

/** One calendar day in the business time zone. */
export interface BusinessDay {
  /** The date, `YYYY-MM-DD`. */
  readonly date: string;
  /** The start of the day, epoch milliseconds. */
  readonly startsAt: number;
  /** The start of the next day, epoch milliseconds. Daily counters reset at this time. */
  readonly endsAt: number;
  /** `endsAt` in ISO 8601 with the zone's offset. */
  readonly resetAt: string;
}

/**
 * Formats an instant as ISO 8601 with the offset of `timeZone`, to the second.
 *
 * @param at - Epoch milliseconds.
 * @returns a text such as `2026-11-23T14:03:22+08:00`.
 * @example
 * ```ts
 * import { isoTime } from "@tillkit/core";
 *
 * console.log(isoTime("Asia/Shanghai", Date.now()));
 * ```
 */
export function isoTime(timeZone: string, at: number): string {
  return formatISO(new TZDate(at, timeZone));
}

/**
 * Formats an instant for a reader: `14:03:22` on the day of `now`, else `2026-11-22 14:03:22`.
 *
 * @param at - Epoch milliseconds.
 * @param now - Epoch milliseconds.
 */
export function clockText(timeZone: string, at: number, now: number): string {
  const [date = "", clock = ""] = isoTime(timeZone, at).slice(0, 19).split("T");
  return isoTime(timeZone, now).startsWith(date) ? clock : `${date} ${clock}`;
}

// Caches the latest day of each zone: computing a zoned date costs more than the rest of a request.
const latest = new Map<string, BusinessDay>();

/**
 * Returns the calendar day in `timeZone` that contains the instant `now`.
 *
 * @param now - Epoch milliseconds.
 */
export function businessDay(timeZone: string, now: number): BusinessDay {
  const last = latest.get(timeZone);
  if (last !== undefined && last.startsAt <= now && now < last.endsAt) return last;
  const start = startOfDay(new TZDate(now, timeZone));
  const end = startOfDay(addDays(start, 1));
  const day: BusinessDay = {
    date: formatISO(start, { representation: "date" }),
    startsAt: start.getTime(),
    endsAt: end.getTime(),
    resetAt: formatISO(end),
  };
  latest.set(timeZone, day);
  return day;
}
