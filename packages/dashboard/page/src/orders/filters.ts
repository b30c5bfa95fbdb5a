import type { OrderFilters } from "../api/planned.js";
import { addDays, startOfDay } from "../language/business-day.js";
import { centsOf } from "../language/format.js";

/** The filters as the address and the form have them: days and yuan. */
export interface ShownFilters {
  readonly app?: string;
  readonly status?: string;
  readonly channel?: string;
  readonly from?: string;
  readonly until?: string;
  readonly min?: string;
  readonly max?: string;
  readonly customer?: string;
  readonly alarm?: string;
}

/** Returns the filters as the API takes them: milliseconds and cents. Days include their end. */
export function filtersOf(shown: ShownFilters, timeZone: string): OrderFilters {
  const { app, status, channel, from, until, min, max, customer, alarm } = shown;
  const given = {
    ...{ appId: app, status, channel, customer, alarm: alarm === "true" ? alarm : undefined },
    from: from === undefined ? undefined : startOfDay(from, timeZone)?.toString(),
    until: until === undefined ? undefined : startOfDay(addDays(until, 1), timeZone)?.toString(),
    min: min === undefined ? undefined : centsOf(min)?.toString(),
    max: max === undefined ? undefined : centsOf(max)?.toString(),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ""));
}
