import { formatTime } from "./format.js";

const DAY = 86_400_000;

/** Returns the day of a time in a time zone, as `YYYY-MM-DD`. */
export function dayOf(at: number, timeZone: string): string {
  return formatTime(at, timeZone, "date");
}

/** Returns a day some days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** Returns when a day of a time zone begins, or `undefined` if the text is no day. */
export function startOfDay(day: string, timeZone: string): number | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(day) ? timeOf(`${day}T00:00`, timeZone) : undefined;
}

/** Returns a time such as `2026-11-23T14:00` of a time zone, or `undefined` if it is none. */
export function timeOf(text: string, timeZone: string): number | undefined {
  const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}:00Z`) : Number.NaN;
  if (Number.isNaN(utc)) return undefined;
  // The offset of the zone at about that time, then once more, because it may change that night.
  const guess = utc - offsetAt(utc, timeZone);
  return utc - offsetAt(guess, timeZone);
}

/** Returns how far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const whole = Math.floor(at / 1_000) * 1_000;
  return Date.parse(`${formatTime(whole, timeZone, "dateTime").replace(" ", "T")}Z`) - whole;
}
