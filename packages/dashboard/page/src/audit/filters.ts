import type { operations } from "../api/openapi.js";
import { type FilterNames, type FilterProblems, filterReader } from "../filters/filter-reader.js";
import { AUDIT_ACTION_NAMES } from "./action-names.js";

/** The filters as the API takes them. */
export type AuditFilters = NonNullable<operations["listAudit"]["parameters"]["query"]>;

/** The outcomes in the order of the filter. */
export const OUTCOMES = ["done", "refused", "failed", "unknown"] as const;

/** The filters as the address and the form have them. */
export interface ShownAuditFilters extends Readonly<Partial<Record<string, string>>> {
  readonly app?: string;
  readonly operator?: string;
  readonly action?: string;
  readonly outcome?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly until?: string;
}

/** Returns the filters for the API, and which of them cannot be read. Days include their end. */
export function readAuditFilters(
  shown: ShownAuditFilters,
  timeZone: string,
  appIds: readonly string[],
): { readonly query: AuditFilters; readonly problems: FilterProblems; readonly names: FilterNames } {
  const reader = filterReader(shown);
  const query = {
    ...reader.choice("app", "app", appIds),
    ...reader.text("operator", "operator"),
    ...reader.choice("action", "action", AUDIT_ACTION_NAMES),
    ...reader.choice("outcome", "outcome", OUTCOMES),
    ...reader.text("subject", "subject"),
    ...reader.startOfDay("from", "from", timeZone),
    ...reader.startOfDay("until", "until", timeZone, true),
  };
  reader.range("from", "until");
  return { query, problems: reader.problems, names: reader.names };
}
