import type { Answer, Schema } from "../api/routes.js";
import { type Change, useChange } from "../api/use-change.js";
import { useRead } from "../api/use-read.js";
import type { ExceptionFilters } from "./filters.js";

/** A difference between a bill and the orders. */
export type BillException = Schema<"BillException">;

/** Returns a page of exceptions, newest first. */
export function useExceptions(filters: ExceptionFilters & { readonly before?: string }, isReadable: boolean) {
  return useRead("/api/bill-exceptions", { query: filters }, { keepsPrevious: true, isEnabled: isReadable });
}

/** Returns the bills of a period. */
export function useBillDays(
  { from = "", until = "" }: { readonly from?: string; readonly until?: string },
  isReadable: boolean,
) {
  const query = { from, until };
  return useRead("/api/bill-days", { query }, { keepsPrevious: true, isEnabled: isReadable });
}

/** Returns a change of an exception that needs only a note. */
export function useExceptionChange(
  id: string,
  name: "resolve" | "adopt" | "not-ours",
): Change<string, BillException> {
  return useChange(`/api/bill-exceptions/{id}/${name}`, { path: { id } }, (note: string) => ({ note }));
}

/** Returns the change that resolves several exceptions with one note. */
export function useResolveSeveral(
  ids: readonly string[],
): Change<string, Answer<"/api/bill-exceptions/resolve", "post">> {
  return useChange("/api/bill-exceptions/resolve", {}, (note: string) => ({ ids: [...ids], note }));
}
