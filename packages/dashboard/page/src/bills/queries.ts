import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schema, valueOf } from "../api/client.js";

/** A difference between a bill and the orders. */
export type BillException = Schema<"BillException">;

/** The states of an exception, in the order of the filter. */
export const EXCEPTION_STATES = ["OPEN", "RESOLVED", "HEALED", "GONE", "LISTED"] as const;
/** A state of an exception. */
export type ExceptionState = (typeof EXCEPTION_STATES)[number];

/** The exceptions in one state, the first found first. */
export function exceptionsQuery(state: ExceptionState, pageNum: string) {
  return queryOptions({
    queryKey: ["bill-exceptions", state, pageNum],
    queryFn: () => valueOf(api.GET("/api/bill-exceptions", { params: { query: { state, pageNum } } })),
    placeholderData: keepPreviousData,
  });
}

/** The bills of a period. */
export function billDaysQuery(period: { readonly from: string; readonly until: string }) {
  return queryOptions({
    queryKey: ["bill-days", period],
    queryFn: () => valueOf(api.GET("/api/bill-days", { params: { query: period } })),
    placeholderData: keepPreviousData,
  });
}

/** Resolves an exception with a note. */
export function useResolve(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (note: string) =>
      valueOf(api.POST("/api/bill-exceptions/{id}/resolve", { params: { path: { id } }, body: { note } })),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["bill-exceptions"] }),
        client.invalidateQueries({ queryKey: ["bill-days"] }),
      ]),
  });
}
