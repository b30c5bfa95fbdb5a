import { isError } from "@tillkit/core/errors";

/** Returns the `code` of an error, or `undefined`. For a PostgreSQL error it is the SQLSTATE. */
export function errorCode(error: unknown): unknown {
  return isError(error) && "code" in error ? error.code : undefined;
}
