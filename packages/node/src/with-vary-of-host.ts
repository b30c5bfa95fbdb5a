import type { NodeResponse } from "./node-messages.js";

type ReplyHeaders = Readonly<Record<string, string>>;

/**
 * Joins the `vary` of the reply to that which the host has set, such as `Origin` for CORS.
 *
 * Any other header of the reply replaces that of the host.
 */
export function withVaryOfHost(response: NodeResponse, headers: ReplyHeaders): ReplyHeaders {
  if (headers["vary"] === undefined) return headers;
  const ofHost = response.getHeader("vary");
  return ofHost === undefined ? headers : { ...headers, vary: `${String(ofHost)}, ${headers["vary"]}` };
}
