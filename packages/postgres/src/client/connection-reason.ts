import { innerErrors, isError } from "@tillkit/core/errors";

/**
 * Returns why a connection failed, in one line without a period at its end.
 *
 * A connection that all addresses of a name refuse is an `AggregateError` with an empty message.
 */
export function connectionReason(error: unknown): string {
  const [first] = innerErrors(error);
  if (first !== undefined) return connectionReason(first);
  return isError(error) && error.message !== ""
    ? error.message.replace(/\s+/g, " ").replace(/\.$/, "")
    : "no reason given";
}
