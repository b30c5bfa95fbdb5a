const OFFSET = 8 * 3_600_000;

/** Formats an instant as `yyyy-MM-dd HH:mm:ss` in China time, as in Alipay's parameters. */
export function chinaTime(instant: number): string {
  return localIso(instant).slice(0, 19).replace("T", " ");
}

/** Formats an instant as `yyyy-MM-dd HH:mm:ss.SSS` in China time. */
export function chinaTimeWithMilliseconds(instant: number): string {
  return localIso(instant).slice(0, 23).replace("T", " ");
}

/** Formats an instant as RFC 3339 with the offset +08:00, as WeChat Pay does. */
export function rfc3339(instant: number): string {
  return `${localIso(instant).slice(0, 19)}+08:00`;
}

/** Parses the format of {@link chinaTime}. Returns `undefined` if the text has another format. */
export function instantOfChinaTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined;
  return finite(Date.parse(`${text.replace(" ", "T")}+08:00`));
}

/** Parses an RFC 3339 text. Returns `undefined` if the text has another format. */
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
