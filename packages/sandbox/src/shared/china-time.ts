const OFFSET = 8 * 3_600_000;

/** The instant as `yyyy-MM-dd HH:mm:ss` in China, which has no daylight saving: what WALLET_B puts into its parameters. */
export function chinaTime(instant: number): string {
  return localIso(instant).slice(0, 19).replace("T", " ");
}

/** The instant as `yyyy-MM-dd HH:mm:ss.SSS` in China. */
export function chinaTimeWithMilliseconds(instant: number): string {
  return localIso(instant).slice(0, 23).replace("T", " ");
}

/** The instant as RFC 3339 with China's offset, as WALLET_A writes its times. */
export function rfc3339(instant: number): string {
  return `${localIso(instant).slice(0, 19)}+08:00`;
}

/** The instant of a `chinaTime`, or `undefined` when the text is none. */
export function instantOfChinaTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined;
  return finite(Date.parse(`${text.replace(" ", "T")}+08:00`));
}

/** The instant of an RFC 3339 text, or `undefined` when it is none. */
export function instantOfRfc3339(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  return finite(Date.parse(text));
}

function localIso(instant: number): string {
  return new Date(instant + OFFSET).toISOString();
}

function finite(instant: number): number | undefined {
  return Number.isNaN(instant) ? undefined : instant;
}
