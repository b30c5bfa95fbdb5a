import type { HttpReply } from "./request.js";

/** A JSON reply that no cache keeps and no browser guesses about. */
export function jsonReply(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
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
