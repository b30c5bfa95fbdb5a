const OFFSET = 8 * 3_600_000;

/** The instant as RFC 3339 in whole seconds, in China's time, which has no daylight saving: as WeChat Pay writes it. */
export function rfc3339(instant: number): string {
  return `${new Date(instant + OFFSET).toISOString().slice(0, 19)}+08:00`;
}

/** The instant of an RFC 3339 text, epoch milliseconds, or `undefined` when the text is none. */
export function instantOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}
