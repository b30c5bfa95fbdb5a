import { fieldOf } from "./field-of.js";

/** The system calls that fail before a connection exists. */
const CALLS = ["connect", "getaddrinfo"];
const CODES = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];

/** Maximum depth of nested errors. Errors may name each other as `cause`. */
const MOST_CAUSES = 5;

/**
 * The message of an error of `node-fetch`. Tencent Cloud's SDK keeps only this text of the error.
 *
 * The whole message must match, because other messages quote the answer of a carrier.
 */
const NODE_FETCH = /^request to \S+ failed, reason: (?:connect|getaddrinfo) ([A-Z_]+) \S+$/;

/**
 * Returns the error code if an error proves that no connection was opened, else `undefined`.
 *
 * A connection that breaks later has the error code of another system call.
 */
export function neverConnected(thrown: unknown, depth = 0): string | undefined {
  if (depth > MOST_CAUSES) return undefined;
  const message = fieldOf(thrown, "message");
  const quoted = typeof message === "string" ? NODE_FETCH.exec(message)?.[1] : undefined;
  if (quoted !== undefined) return CODES.includes(quoted) ? quoted : undefined;
  const [code, call] = [fieldOf(thrown, "code"), fieldOf(thrown, "syscall")];
  if (typeof code === "string" && typeof call === "string")
    return CODES.includes(code) && CALLS.includes(call) ? code : undefined;
  // Node tries every address of a host, and throws all errors in one.
  const attempts = fieldOf(thrown, "errors");
  if (Array.isArray(attempts)) {
    const codes = attempts.map((one) => neverConnected(one, depth + 1));
    return codes.includes(undefined) ? undefined : codes[0];
  }
  const cause = fieldOf(thrown, "cause");
  return cause === undefined ? undefined : neverConnected(cause, depth + 1);
}
