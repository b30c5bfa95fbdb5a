import { isError } from "@tillkit/core/errors";
import { describeError } from "../log/describe-error.js";

/** Returns in one line why a host did not start. The line contains no secret. */
export function startFailure(thrown: unknown): string {
  const { type, code, message } = describeError(thrown);
  return code === "EADDRINUSE" || code === "EACCES"
    ? `Cannot listen: ${message ?? code}. Stop the program that uses the port, or set PORT or ADMIN_PORT.`
    : `Tillkit did not start: ${message ?? (isError(thrown) ? thrown.message : type)}`;
}
