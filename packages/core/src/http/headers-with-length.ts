import type { HttpReply } from "./request.js";

/**
 * Returns the headers of a reply with its content length, where HTTP allows one.
 *
 * @param bytes - The length of the body.
 */
export function headersWithLength({ status, headers }: HttpReply, bytes: number): Record<string, string> {
  // HTTP forbids a content length on 204. On 304, the length would describe a body that is not
  // sent.
  const length = status === 204 || status === 304 ? undefined : { "content-length": String(bytes) };
  // Not a spread: a spread with one more member takes as long as the rest of sending a reply.
  return Object.assign({}, headers, length);
}
