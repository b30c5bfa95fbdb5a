import type { HttpReply } from "./request.js";

/** The headers of a reply whose body has `bytes` bytes: its own, and the length where HTTP has one. */
export function headersWithLength({ status, headers }: HttpReply, bytes: number): Record<string, string> {
  // HTTP forbids a length on 204, and on 304 it would describe a body that is not sent.
  const length = status === 204 || status === 304 ? undefined : { "content-length": String(bytes) };
  // Not a spread: a member behind one makes it as slow as the rest of sending a reply.
  return Object.assign({}, headers, length);
}
