import { fieldOf } from "./field-of.js";

/** The system calls that fail before a connection exists, and their error codes. */
const BEFORE_SENDING = /\b(?:connect|getaddrinfo) (ECONNREFUSED|ENOTFOUND|EAI_AGAIN)\b/;

/**
 * Returns the error code if an error proves that no connection was opened, else `undefined`.
 *
 * Some SDKs keep only the message of the system error, so the message is read. It names the system
 * call, which a broken connection does not have.
 */
export function neverConnected(thrown: unknown): string | undefined {
  const message = fieldOf(thrown, "message");
  const found = typeof message === "string" ? BEFORE_SENDING.exec(message)?.[1] : undefined;
  if (found !== undefined) return found;
  const cause = fieldOf(thrown, "cause");
  return cause === undefined || cause === thrown ? undefined : neverConnected(cause);
}
