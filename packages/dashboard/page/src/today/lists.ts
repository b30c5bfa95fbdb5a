import type { Schema } from "../api/routes.js";
import { formatTime } from "../language/format.js";

const HOUR = 3_600_000;

/** The day and the app of the figures, for the links to their lists. */
export interface FigureScope {
  readonly day: string;
  readonly timeZone: string;
  /** The app that the figures are limited to. */
  readonly app: string | undefined;
}

/** The app and channel to which a figure is limited. */
interface Part {
  readonly app?: string;
  readonly channel?: Schema<"Today">["money"][number]["payChannel"];
}

/** Returns the filter of the orders that were paid on a day. */
export function paymentsOf({ day, app }: FigureScope, part: Part = {}) {
  return { ...given({ app, ...part }), paidFrom: day, paidUntil: day };
}

/** Returns the filter of the refunds that were confirmed on a day. */
export function refundsOf({ day, app }: FigureScope, part: Part = {}) {
  return { ...given({ app, ...part }), confirmedFrom: day, confirmedUntil: day };
}

/** Returns the filter of the orders that were created on a day. */
export function createdOn({ day, app }: FigureScope) {
  return { ...given({ app }), from: day, until: day };
}

/** Returns the filter of the orders that were created in an hour. */
export function createdIn({ app, timeZone }: FigureScope, start: number) {
  return { ...given({ app }), from: minute(start, timeZone), until: minute(start + HOUR, timeZone) };
}

/** Returns a time as a filter has it, such as `2026-11-23T14:00`. */
function minute(at: number, timeZone: string): string {
  return formatTime(at, timeZone, "dateTime").slice(0, 16).replace(" ", "T");
}

/** Returns the members that have a value, because an address contains no empty members. */
function given<T extends Readonly<Record<string, string | undefined>>>(members: T) {
  const found: { [Name in keyof T]?: string } = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}
