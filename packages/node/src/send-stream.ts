import { constants } from "node:http2";
import { discardStream, type HttpReply, isEventStream } from "@tillkit/core/http";
import { isClosed, type NodeRequest, type NodeResponse } from "./node-messages.js";
import { setCookies } from "./set-cookies.js";
import { withVaryOfHost } from "./with-vary-of-host.js";

/**
 * Writes the head of a streamed reply at once, and then its texts as fast as the client reads.
 *
 * Resolves when the stream has ended, or when the client has disconnected and `return()` of the
 * iterator has resolved. If the stream throws, closes the connection and rejects with its error.
 */
export async function sendStream(
  request: NodeRequest,
  response: NodeResponse,
  reply: HttpReply,
  body: AsyncIterable<string>,
): Promise<void> {
  // The client has disconnected, or a timeout of the host has answered already.
  if (isClosed(response) || response.headersSent) return discardStream(body);
  try {
    setCookies(response, reply);
    response.writeHead(reply.status, withVaryOfHost(response, reply.headers));
  } catch (error) {
    await discardStream(body);
    throw error;
  }
  if (request.method === "HEAD" || reply.status === 204 || reply.status === 304) {
    response.end();
    return discardStream(body);
  }
  // An event stream is silent between its events, and a timeout of the host must not end it.
  if (isEventStream(reply)) response.setTimeout(0);
  response.flushHeaders?.();
  const texts = body[Symbol.asyncIterator]();
  const left = new Promise<void>((resolve) => response.once("close", resolve));
  try {
    await Promise.race([writeAll(response, texts), left]);
  } catch (error) {
    // If the client has disconnected, the stream may fail because its signal was aborted.
    if (!isClosed(response)) {
      breakOff(response);
      throw error;
    }
  }
  if (isClosed(response)) await texts.return?.();
  else response.end();
}

async function writeAll(response: NodeResponse, texts: AsyncIterator<string>): Promise<void> {
  for (;;) {
    const next = await texts.next();
    if (next.done === true || isClosed(response)) return;
    if (!response.write(next.value) && !(await drained(response))) return;
  }
}

/** Resolves to true when the client has read what was written, and to false when it disconnects. */
function drained(response: NodeResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const drain = (): void => {
      response.off("close", close);
      resolve(true);
    };
    const close = (): void => {
      response.off("drain", drain);
      resolve(false);
    };
    response.once("drain", drain);
    response.once("close", close);
  });
}

/** Breaks off the response so that the client notices that it is incomplete. */
function breakOff(response: NodeResponse): void {
  if (response.stream !== undefined) {
    response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  // A client of HTTP/1.0 treats an orderly end of the connection as the end of the reply. Only a
  // reset shows that the reply is incomplete. Node can reset only TCP sockets.
  try {
    response.socket?.resetAndDestroy();
  } catch {
    // The socket is encrypted or local, so Node cannot reset it.
  }
  response.destroy();
}
