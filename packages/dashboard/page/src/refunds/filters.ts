import type { operations } from "../api/openapi.js";
import { type FilterNames, type FilterProblems, filterReader } from "../filters/filter-reader.js";
import { CHANNELS } from "../orders/filters.js";

/** The filters as the API takes them: milliseconds and cents. */
export type RefundFilters = NonNullable<operations["listRefunds"]["parameters"]["query"]>;

/** The statuses of a refund in the order of the filter. Statuses that need attention are first. */
export const REFUND_STATUSES = [
  "ABNORMAL",
  "WAITING_FOR_FUNDS",
  "REQUESTED",
  "SENT",
  "FAILED",
  "CONFIRMED",
  "WITHDRAWN",
  "SETTLED",
] as const;

/** The filters as the address and the form have them: days and yuan. */
export interface ShownRefundFilters extends Readonly<Partial<Record<string, string>>> {
  readonly app?: string;
  readonly status?: string;
  readonly number?: string;
  readonly operator?: string;
  readonly from?: string;
  readonly until?: string;
  readonly confirmedFrom?: string;
  readonly confirmedUntil?: string;
  readonly channel?: string;
  readonly min?: string;
  readonly max?: string;
}

/** Returns the filters for the API, and which of them cannot be read. Days include their end. */
export function readRefundFilters(
  shown: ShownRefundFilters,
  timeZone: string,
  appIds: readonly string[],
): { readonly query: RefundFilters; readonly problems: FilterProblems; readonly names: FilterNames } {
  const reader = filterReader(shown);
  const query = {
    ...reader.choice("appId", "app", appIds),
    ...reader.choice("status", "status", REFUND_STATUSES),
    ...reader.text("number", "number"),
    ...reader.text("operator", "operator"),
    ...reader.startOfDay("from", "from", timeZone),
    ...reader.startOfDay("until", "until", timeZone, true),
    ...reader.startOfDay("confirmedFrom", "confirmedFrom", timeZone),
    ...reader.startOfDay("confirmedUntil", "confirmedUntil", timeZone, true),
    ...reader.choice("channel", "channel", CHANNELS),
    ...reader.amount("min", "min"),
    ...reader.amount("max", "max"),
  };
  reader.range("from", "until");
  reader.range("confirmedFrom", "confirmedUntil");
  reader.range("min", "max");
  return { query, problems: reader.problems, names: reader.names };
}
