import type { NodeResponse } from "./node-messages.js";

type ReplyHeaders = Readonly<Record<string, string>>;

/**
 * Appends the `vary` of the reply to the `vary` that the host has set, such as `Origin` for CORS.
 *
 * Any other header of the reply replaces the host's header of the same name.
 */
export function withVaryOfHost(response: NodeResponse, headers: ReplyHeaders): ReplyHeaders {
  if (headers["vary"] === undefined) return headers;
  const ofHost = response.getHeader("vary");
  return ofHost === undefined ? headers : { ...headers, vary: `${String(ofHost)}, ${headers["vary"]}` };
}
