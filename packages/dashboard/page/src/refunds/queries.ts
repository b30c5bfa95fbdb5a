import type { Answer } from "../api/routes.js";
import { type Change, useChange } from "../api/use-change.js";
import { useRead } from "../api/use-read.js";

/** How often the list of waiting refunds is loaded again, in milliseconds. */
const INTERVAL = 15_000;

/** The statuses of a refund in the order of the filter. Those that need attention are first. */
export const REFUND_STATUSES = [
  ...(["ABNORMAL", "WAITING_FOR_FUNDS", "REQUESTED", "SENT"] as const),
  ...(["FAILED", "CONFIRMED", "SETTLED"] as const),
];

/** Returns the refunds that wait for a second person, or those that are decided. */
export function useApprovals(query: {
  readonly state: "WAITING" | "DECIDED";
  readonly mine?: "true";
  readonly before?: string;
}) {
  return useRead("/api/refund-approvals", { query }, { interval: INTERVAL });
}

/** Returns a page of refunds, newest first. */
export function useRefunds(criteria: {
  readonly status?: (typeof REFUND_STATUSES)[number];
  readonly before?: string;
}) {
  return useRead("/api/refunds", { query: criteria }, { keepsPrevious: true });
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
