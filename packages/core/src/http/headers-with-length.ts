import type { HttpReply } from "./request.js";

/**
 * Returns the headers of a reply with its content length, where HTTP allows one.
 *
 * @param bytes - The length of the body.
 */
export function headersWithLength({ status, headers }: HttpReply, bytes: number): Record<string, string> {
  // HTTP forbids a length on 204, and on 304 it would describe a body that is not sent.
  const length = status === 204 || status === 304 ? undefined : { "content-length": String(bytes) };
  // No spread: a spread with a further member takes as long as everything else in sending a reply.
  return Object.assign({}, headers, length);
}
