import type { Answer } from "../api/routes.js";
import { type Change, useChange } from "../api/use-change.js";
import { useRead } from "../api/use-read.js";
import type { RefundFilters } from "./filters.js";

/** How often the list of waiting refunds is loaded again, in milliseconds. */
const INTERVAL = 15_000;

/** Returns the refunds that wait for a second person, or those that are decided. */
export function useApprovals(
  query: {
    readonly state: "WAITING" | "DECIDED";
    readonly mine?: "true";
    readonly notMade?: "true";
    readonly appId?: string;
    readonly before?: string;
  },
  isReadable: boolean,
) {
  return useRead("/api/refund-approvals", { query }, { interval: INTERVAL, isEnabled: isReadable });
}

/** Returns a page of refunds, newest first. */
export function useRefunds(filters: RefundFilters & { readonly before?: string }, isReadable: boolean) {
  return useRead("/api/refunds", { query: filters }, { keepsPrevious: true, isEnabled: isReadable });
}

type DecisionPath = "/api/refund-approvals/{id}/approve" | "/api/refund-approvals/{id}/reject";

/**
 * Returns a decision about a refund.
 *
 * @param seen - the last event of the order that the operator has seen.
 */
export function useDecision(
  id: string,
  decision: "approve" | "reject",
  seen?: number,
): Change<string, Answer<DecisionPath, "post">> {
  return useChange(`/api/refund-approvals/{id}/${decision}`, { path: { id } }, (reason: string) => ({
    reason,
    ...(seen !== undefined && { seen }),
  }));
}
