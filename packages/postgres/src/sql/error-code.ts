/** Returns the `code` of an error, or `undefined`. For a PostgreSQL error it is the SQLSTATE. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
