import { errorCode, isError } from "@tillkit/core/errors";

/**
 * Returns whether the server refused a prepared statement because its result has other types now.
 *
 * This happens after a migration changed the type of a column. Every use of the statement on this
 * connection fails until the connection is closed. The message depends on the server's language,
 * and the SQLSTATE has other causes too. So the name of the server's function in the error decides.
 */
export function isStalePlan(error: unknown): boolean {
  return (
    errorCode(error) === "0A000" &&
    isError(error) &&
    "routine" in error &&
    error.routine === "RevalidateCachedQuery"
  );
}
