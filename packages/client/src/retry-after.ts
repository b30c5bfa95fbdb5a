/** The longest pause that a service can ask for, in milliseconds: a day. */
const LONGEST = 86_400_000;

/**
 * Returns the pause that a response asks for, in milliseconds. At most a day.
 *
 * Returns `undefined` without the header, and if it is neither a number of seconds nor a date. A
 * date counts from the `Date` of the response, because the clock of this machine may be wrong.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#name-retry-after | RFC 9110, 10.2.3}
 */
export function retryAfterOf({ headers }: Pick<Response, "headers">, now: number): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, LONGEST);
  const until = dateOf(text);
  if (until === undefined) return undefined;
  const from = dateOf(headers.get("date") ?? "") ?? now;
  return Math.min(Math.max(0, until - from), LONGEST);
}

/** Reads a date of HTTP, which begins with the name of a day. */
function dateOf(text: string): number | undefined {
  const time = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
