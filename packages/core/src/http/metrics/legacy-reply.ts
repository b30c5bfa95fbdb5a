import type { HttpReply } from "../request.js";

/**
 * Converts a v2 reply to the legacy version: the same body with status 200.
 *
 * Removes `Retry-After`, which has no meaning with status 200. Also removes `negotiable.content`,
 * so that the reply has no `ETag`: the legacy version never answers with 304.
 */
export function legacyReply({ headers, body, negotiable }: HttpReply<string>): HttpReply<string> {
  const { "retry-after": _only429, ...others } = headers;
  const reply = { status: 200, headers: others, body };
  return negotiable === undefined ? reply : { ...reply, negotiable: {} };
}
