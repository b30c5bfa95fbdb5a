import type { operations } from "../api/openapi.js";
import { type FilterNames, type FilterProblems, filterReader } from "../filters/filter-reader.js";

/** The filters as the API takes them: milliseconds and cents. */
export type OrderFilters = NonNullable<operations["listOrders"]["parameters"]["query"]>;

/** The statuses in the order of the filter. */
export const STATUSES = ["PENDING", "PAID", "CLOSE", "REFUND"] as const;
/** The payment channels. */
export const CHANNELS = ["WALLET_A", "WALLET_B"] as const;

/** The filters as the address and the form have them: days and yuan. */
export interface ShownOrderFilters extends Readonly<Partial<Record<string, string>>> {
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

/** Returns the filters for the API, and which of them cannot be read. Days include their end. */
export function readOrderFilters(
  shown: ShownOrderFilters,
  timeZone: string,
  appIds: readonly string[],
): { readonly query: OrderFilters; readonly problems: FilterProblems; readonly names: FilterNames } {
  const reader = filterReader(shown);
  const query = {
    ...reader.choice("appId", "app", appIds),
    ...reader.choice("status", "status", STATUSES),
    ...reader.choice("channel", "channel", CHANNELS),
    ...reader.choice("alarm", "alarm", ["true"] as const),
    ...reader.text("customer", "customer"),
    ...reader.startOfDay("from", "from", timeZone),
    ...reader.startOfDay("until", "until", timeZone, true),
    ...reader.startOfDay("paidFrom", "paidFrom", timeZone),
    ...reader.startOfDay("paidUntil", "paidUntil", timeZone, true),
    ...reader.amount("min", "min"),
    ...reader.amount("max", "max"),
  };
  reader.range("from", "until");
  reader.range("paidFrom", "paidUntil");
  reader.range("min", "max");
  return { query, problems: reader.problems, names: reader.names };
}
