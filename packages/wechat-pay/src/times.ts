import { beijingTime } from "@tillkit/wallet-kit";

/** Formats a time as RFC 3339 in whole seconds and Beijing time, as WeChat Pay does. */
export function rfc3339(instant: number): string {
  return `${beijingTime(instant).replace(" ", "T")}+08:00`;
}

/** Formats a time as RFC 3339 in milliseconds and Beijing time, as mini-programs need it. */
export function rfc3339Milliseconds(instant: number): string {
  const milliseconds = String(instant % 1_000).padStart(3, "0");
  return rfc3339(instant).replace("+08:00", `.${milliseconds}+08:00`);
}

/** Parses an RFC 3339 text into epoch milliseconds. Returns `undefined` if it is invalid. */
export function instantOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}
