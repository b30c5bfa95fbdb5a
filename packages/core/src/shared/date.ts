/** The milliseconds of a day. */
export const DAY = 86_400_000;

/** Whether `text` is a day of the calendar, `YYYY-MM-DD`; the calendar begins with the year 0001, as that of databases does. */
export function isDate(text: string): boolean {
  return dayNumber(text) !== undefined;
}

/** The days from 1970-01-01 to the date `text`, or `undefined` if it is no day of the calendar. */
export function dayNumber(text: string): number | undefined {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || dateText(time) !== text ? undefined : time / DAY;
}

/** The date of an instant in UTC, `YYYY-MM-DD`. */
export function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
