import type { HttpReply } from "../request.js";

/**
 * Converts a v2 reply to the legacy version: the same body with status 200.
 *
 * Removes `Retry-After`, which has no meaning with status 200.
 */
export function legacyReply({ headers, body }: HttpReply<string>): HttpReply<string> {
  const { "retry-after": _only429, ...others } = headers;
  return { status: 200, headers: others, body };
}
