import type { HttpReply } from "./request.js";

/** Creates a JSON reply that caches do not store and browsers do not sniff. */
export function jsonReply(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): HttpReply<string> {
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...headers,
    },
    body,
  };
}
