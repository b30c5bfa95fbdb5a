/**
 * Returns why a connection failed, in one line without a period at its end.
 *
 * A connection that all addresses of a name refuse is an `AggregateError` with an empty message.
 */
export function connectionReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return connectionReason(error.errors[0]);
  return error instanceof Error && error.message !== ""
    ? error.message.replace(/\s+/g, " ").replace(/\.$/, "")
    : "no reason given";
}
