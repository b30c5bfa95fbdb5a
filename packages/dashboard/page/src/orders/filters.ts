import type { operations } from "../api/openapi.js";
import { addDays, startOfDay, timeOf } from "../language/business-day.js";
import { centsOf } from "../language/format.js";

/** The filters as the API takes them: milliseconds and cents. */
export type OrderFilters = NonNullable<operations["listOrders"]["parameters"]["query"]>;

/** The statuses in the order of the filter. */
export const STATUSES = ["PENDING", "PAID", "CLOSE", "REFUND"] as const;
const CHANNELS = ["WALLET_A", "WALLET_B"] as const;

/** The filters as the address and the form have them: days and yuan. */
export interface ShownFilters {
  readonly app?: string;
  readonly status?: string;
  readonly channel?: string;
  readonly from?: string;
  readonly until?: string;
  readonly paidFrom?: string;
  readonly paidUntil?: string;
  readonly min?: string;
  readonly max?: string;
  readonly customer?: string;
  readonly alarm?: string;
}

/** Returns the filters for the API. Days include their end. Values that cannot be are left out. */
export function filtersOf(shown: ShownFilters, timeZone: string): OrderFilters {
  const status = STATUSES.find((one) => one === shown.status);
  const channel = CHANNELS.find((one) => one === shown.channel);
  return {
    ...(status && { status }),
    ...(channel && { channel }),
    ...text("appId", shown.app),
    ...text("customer", shown.customer?.trim()),
    ...(shown.alarm === "true" && ({ alarm: "true" } as const)),
    ...text("from", startOf(shown.from, 0, timeZone)),
    ...text("until", startOf(shown.until, 1, timeZone)),
    ...text("paidFrom", startOf(shown.paidFrom, 0, timeZone)),
    ...text("paidUntil", startOf(shown.paidUntil, 1, timeZone)),
    ...text("min", centsOf(shown.min ?? "")),
    ...text("max", centsOf(shown.max ?? "")),
  };
}

/** Returns a time, or the start of a day. `later`: how many days later if the text is a day. */
function startOf(day: string | undefined, later: number, timeZone: string): number | undefined {
  if (day?.includes("T") === true) return timeOf(day, timeZone);
  const start = startOfDay(day ?? "", timeZone);
  return start === undefined || day === undefined ? undefined : startOfDay(addDays(day, later), timeZone);
}

/** Returns a member, or nothing without a value. */
function text<Name extends string>(
  name: Name,
  value: string | number | undefined,
): { readonly [Key in Name]?: string } {
  const found: { [Key in Name]?: string } = {};
  if (value !== undefined && value !== "") found[name] = String(value);
  return found;
}
