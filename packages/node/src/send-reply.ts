import { finished } from "node:stream";
import { headersWithLength, type HttpReply, isStream } from "@tillkit/core/http";
import { isClosed, type NodeRequest, type NodeResponse } from "./node-messages.js";
import { sendStream } from "./send-stream.js";
import { setCookies } from "./set-cookies.js";
import { withVaryOfHost } from "./with-vary-of-host.js";

// Node joins a string body to the head of the reply and reserves room for its longest encoding.
// From about this length on, this costs more than writing the body as bytes after the head.
const LONG = 16_384;

/**
 * Writes `reply` with its own headers, its content length unless it is a stream,
 * and the headers that the host has set.
 *
 * Throws the error of Node for a header that cannot be sent. For a stream, returns a promise that
 * resolves when the stream has ended, and rejects with the error of the stream.
 *
 * @param mayBeUploading - whether the client may still be sending the request. If so, the reply is
 *   written immediately, and the response ends when the request has been read.
 */
export function sendReply(
  request: NodeRequest,
  response: NodeResponse,
  reply: HttpReply,
  mayBeUploading: boolean,
): void | Promise<void> {
  const { body } = reply;
  if (isStream(body)) return sendStream(request, response, reply, body);
  // The client has disconnected, or a timeout of the host has answered already.
  if (isClosed(response) || response.headersSent) return;
  const sent = typeof body === "string" && body.length >= LONG ? Buffer.from(body) : body;
  setCookies(response, reply);
  const headers = headersWithLength(reply, Buffer.byteLength(sent));
  response.writeHead(reply.status, withVaryOfHost(response, headers));
  if (!mayBeUploading) {
    response.end(sent);
    return;
  }
  // If the response ended now, Node could close a `connection: close` socket with unread bytes in
  // it, and the reset that follows can destroy the reply. The client knows the content length.
  response.write(sent);
  finished(request, () => response.end());
}
