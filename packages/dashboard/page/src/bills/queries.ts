import type { Answer, Schema } from "../api/routes.js";
import { type Change, useChange } from "../api/use-change.js";
import { useRead } from "../api/use-read.js";

/** A difference between a bill and the orders. */
export type BillException = Schema<"BillException">;

/** The states of an exception, in the order of the filter. */
export const EXCEPTION_STATES = ["OPEN", "RESOLVED", "HEALED", "GONE", "LISTED"] as const;
/** A state of an exception. */
export type ExceptionState = (typeof EXCEPTION_STATES)[number];

/** Returns the exceptions in one state, the last found first. */
export function useExceptions(state: ExceptionState, before: string | undefined) {
  const query = { state, ...(before === undefined ? {} : { before }) };
  return useRead("/api/bill-exceptions", { query }, { keepsPrevious: true });
}

/** Returns the bills of a period. */
export function useBillDays(period: { readonly from: string; readonly until: string }) {
  return useRead("/api/bill-days", { query: period }, { keepsPrevious: true });
}

/** Returns the change that resolves an exception with a note. */
export function useResolve(id: string): Change<string, Answer<"/api/bill-exceptions/{id}/resolve", "post">> {
  return useChange("/api/bill-exceptions/{id}/resolve", { path: { id } }, (note: string) => ({ note }));
}
