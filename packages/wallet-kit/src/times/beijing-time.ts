const OFFSET = 8 * 3_600_000;

/** Matches a Beijing time in whole seconds, as {@link beijingTime} formats it. */
export const BEIJING_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/**
 * Formats a time as `yyyy-MM-dd HH:mm:ss` in Beijing, in any time zone of the process.
 *
 * Both wallets use no other time zone. Milliseconds are dropped, so an expiry is never too late.
 * China has no daylight saving time.
 */
export function beijingTime(instant: number): string {
  return new Date(instant + OFFSET).toISOString().slice(0, 19).replace("T", " ");
}

/**
 * Parses a Beijing time, with or without milliseconds, into epoch milliseconds.
 *
 * @returns `undefined` if the text is not a valid time.
 */
export function instantOfBeijingTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?$/.test(text)) return undefined;
  const instant = Date.parse(`${text.replace(" ", "T")}+08:00`);
  // `Date.parse` accepts 31 February as a day in March.
  return Number.isNaN(instant) || beijingTime(instant) !== text.slice(0, 19) ? undefined : instant;
}
