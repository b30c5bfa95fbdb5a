import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream";
import { headersWithLength, type HttpReply } from "@tillkit/core/http";

// Node joins a string body to the head of the reply and reserves room for its longest encoding.
// From about this length on, that costs more than writing the body as bytes after the head.
const LONG = 16_384;

/**
 * Writes `reply` with its own headers, its content length and the headers that the host has set.
 *
 * Throws the error of Node for a header that cannot be sent.
 *
 * @param mayBeUploading - whether the client may still be sending the request. If so, the reply is
 *   written immediately, and the response ends when the request has been read.
 */
export function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: HttpReply,
  mayBeUploading: boolean,
): void {
  // The client has disconnected, or a timeout of the host has answered already.
  if (response.destroyed || response.headersSent) return;
  const body = reply.body.length < LONG ? reply.body : Buffer.from(reply.body);
  response.writeHead(reply.status, headersWithLength(reply, Buffer.byteLength(body)));
  if (!mayBeUploading) {
    response.end(body);
    return;
  }
  // If the response ended now, Node could close a `connection: close` socket with unread bytes in
  // it, and the reset that follows can destroy the reply. The client knows the content length.
  response.write(body);
  finished(request, () => response.end());
}
