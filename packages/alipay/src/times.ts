const OFFSET = 8 * 3_600_000;

/**
 * The instant as `yyyy-MM-dd HH:mm:ss` in Beijing, whatever the zone of the process: the wallet knows no other. Milliseconds are dropped,
 * so an expiry is never told too late. China has no daylight saving time.
 */
export function beijingTime(instant: number): string {
  return new Date(instant + OFFSET).toISOString().slice(0, 19).replace("T", " ");
}

/** The instant, in epoch milliseconds, of a time the wallet wrote, with or without milliseconds; `undefined` when the text is none. */
export function instantOfBeijingTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?$/.test(text)) return undefined;
  const instant = Date.parse(`${text.replace(" ", "T")}+08:00`);
  // `Date.parse` takes 31 February for a day in March.
  return Number.isNaN(instant) || beijingTime(instant) !== text.slice(0, 19) ? undefined : instant;
}
