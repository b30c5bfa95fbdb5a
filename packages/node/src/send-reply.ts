import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream";
import { headersWithLength, type HttpReply } from "@tillkit/core/http";

// Node joins a text to the head of the reply and encodes the two anew, with room for the longest encoding there could be. From about this many characters on
// that costs more than bytes, which are written as they are, after the head.
const LONG = 16_384;

/**
 * Writes `reply` with its own headers, its length and whatever headers the host has set on purpose. `mayBeUploading` says that the
 * client may still be sending the request: the reply goes out at once, and the response is ended when the request has been read.
 * Throws what Node throws for a header it cannot send.
 */
export function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: HttpReply,
  mayBeUploading: boolean,
): void {
  // The client has left, or a host's time-out has answered in our place.
  if (response.destroyed || response.headersSent) return;
  const body = reply.body.length < LONG ? reply.body : Buffer.from(reply.body);
  response.writeHead(reply.status, headersWithLength(reply, Buffer.byteLength(body)));
  if (!mayBeUploading) {
    response.end(body);
    return;
  }
  // Ending now would let Node close a `connection: close` socket with unread bytes in it, and the reset that follows can destroy
  // the reply on its way. The length is known, so the client has the whole reply already.
  response.write(body);
  finished(request, () => response.end());
}
