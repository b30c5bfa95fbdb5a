/** The code of what a driver threw: of a server's error its SQLSTATE. `undefined` when it has none. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
