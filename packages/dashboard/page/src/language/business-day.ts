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

/** Returns whether a text is a day that exists, as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Returns whether a text is a month, as `YYYY-MM`. */
export function isMonth(text: string): boolean {
  return isDay(`${text}-01`);
}

/** Returns a month some months later, or earlier. */
export function addMonths(month: string, months: number): string {
  const [year = 0, nth = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, nth - 1 + months)).toISOString().slice(0, 7);
}

/** Returns when a day of a time zone begins, or `undefined` if the text is no day. */
export function startOfDay(day: string, timeZone: string): number | undefined {
  return isDay(day) ? timeOf(`${day}T00:00`, timeZone) : undefined;
}

/** Returns whether a text is a time that exists, such as `2026-11-23T14:00`. */
function isTimeOfDay(text: string): boolean {
  return /^.{10}T(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) && isDay(text.slice(0, 10));
}

/** Converts a local time such as `2026-11-23T14:00`. Returns `undefined` for any other text. */
export function timeOf(text: string, timeZone: string): number | undefined {
  if (!isTimeOfDay(text)) return undefined;
  const utc = Date.parse(`${text}:00Z`);
  // The offset is computed twice, because the first guess may be on the other side of a clock
  // change.
  const guess = utc - offsetAt(utc, timeZone);
  return utc - offsetAt(guess, timeZone);
}

/** Returns how far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const whole = Math.floor(at / 1_000) * 1_000;
  return Date.parse(`${formatTime(whole, timeZone, "dateTime").replace(" ", "T")}Z`) - whole;
}
