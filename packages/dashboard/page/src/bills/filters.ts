import type { operations } from "../api/openapi.js";
import { type FilterNames, type FilterProblems, filterReader } from "../filters/filter-reader.js";
import { CHANNELS } from "../orders/filters.js";

/** The filters of the exceptions as the API takes them. */
export type ExceptionFilters = NonNullable<operations["listBillExceptions"]["parameters"]["query"]>;

/** The states of an exception, in the order of the filter. The first one is the default. */
export const EXCEPTION_STATES = ["OPEN", "RESOLVED", "HEALED", "GONE", "LISTED"] as const;

/** The kinds of exceptions, in the order of the filter. */
export const EXCEPTION_KINDS = [
  "PAYMENT_NOT_HERE",
  "PAYMENT_NOT_THERE",
  "PAYMENT_AMOUNT",
  "REFUND_NOT_HERE",
  "REFUND_NOT_THERE",
  "REFUND_AMOUNT",
  "UNREADABLE_LINE",
  "LINE_MISSING",
  "MOVEMENT_MISSING",
  "MOVEMENT_UNKNOWN",
  "MOVEMENT_AMOUNT",
  "MOVEMENT_TOTAL",
  "FEE_AMOUNT",
  "FEE_TOTAL",
  "BALANCE",
  "UNREADABLE_MOVEMENT",
] as const;

/** The filters of the exceptions as the address and the form have them. */
export interface ShownExceptionFilters extends Readonly<Partial<Record<string, string>>> {
  readonly state?: string;
  readonly day?: string;
  readonly channel?: string;
  readonly kind?: string;
  readonly account?: string;
  /** The id of an order. */
  readonly order?: string;
}

/** Returns the filters for the API, and which of them cannot be read. */
export function readExceptionFilters(shown: ShownExceptionFilters): {
  readonly query: ExceptionFilters;
  readonly problems: FilterProblems;
  readonly names: FilterNames;
} {
  const reader = filterReader(shown);
  const query = {
    ...reader.choice("state", "state", EXCEPTION_STATES),
    ...reader.day("day", "day"),
    ...reader.choice("payChannel", "channel", CHANNELS),
    ...reader.choice("kind", "kind", EXCEPTION_KINDS),
    ...reader.text("accountId", "account"),
    ...reader.text("outTradeNo", "order"),
  };
  return { query, problems: reader.problems, names: reader.names };
}
