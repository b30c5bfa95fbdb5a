import { TZDate } from "@date-fns/tz/date";
import { addDays } from "date-fns/addDays";
import { formatISO } from "date-fns/formatISO";
import { startOfDay } from "date-fns/startOfDay";

/** One calendar day of the business time zone. */
export interface BusinessDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** When the day began, epoch milliseconds. */
  readonly startsAt: number;
  /** When the next day begins, epoch milliseconds: daily counters reset here. */
  readonly endsAt: number;
  /** `endsAt` as ISO 8601 with the zone's offset. */
  readonly resetAt: string;
}

/** The instant `at`, epoch milliseconds, as ISO 8601 with the offset of `timeZone`, to the second. */
export function isoTime(timeZone: string, at: number): string {
  return formatISO(new TZDate(at, timeZone));
}

// Building a zoned date costs more than the whole rest of a request, and a day lasts a day.
const latest = new Map<string, BusinessDay>();

/** The day of `timeZone` that contains the instant `now`. Source: BEHAVIOUR, "Conventions", one business time zone. */
export function businessDay(timeZone: string, now: number): BusinessDay {
  const known = latest.get(timeZone);
  if (known !== undefined && known.startsAt <= now && now < known.endsAt) return known;
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
