import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, valueOf } from "../api/client.js";

/** How often the list of waiting refunds is loaded again, in milliseconds. */
const INTERVAL = 15_000;

/** The statuses of a refund in the order of the filter. Those that need attention are first. */
export const REFUND_STATUSES = [
  ...(["ABNORMAL", "WAITING_FOR_FUNDS", "REQUESTED", "SENT"] as const),
  ...(["FAILED", "CONFIRMED", "SETTLED"] as const),
];

/** The refunds that wait for a second person. */
export const approvalsQuery = queryOptions({
  queryKey: ["refund-approvals"],
  queryFn: () => valueOf(api.GET("/api/refund-approvals", { params: { query: { state: "WAITING" } } })),
  refetchInterval: INTERVAL,
});

/** A page of refunds, newest first. */
export function refundsQuery(criteria: {
  readonly status?: (typeof REFUND_STATUSES)[number];
  readonly before?: string;
}) {
  return queryOptions({
    queryKey: ["refunds", criteria],
    queryFn: () => valueOf(api.GET("/api/refunds", { params: { query: criteria } })),
    placeholderData: keepPreviousData,
  });
}

/** Returns a decision about a refund. */
export function useDecision(id: string, decision: "approve" | "reject") {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) =>
      valueOf(
        api.POST(`/api/refund-approvals/{id}/${decision}`, { params: { path: { id } }, body: { reason } }),
      ),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: approvalsQuery.queryKey }),
        client.invalidateQueries({ queryKey: ["refunds"] }),
        client.invalidateQueries({ queryKey: ["order"] }),
      ]),
  });
}
