import type { IncomingMessage, ServerResponse } from "node:http";
import { discardStream, type HttpReply, isEventStream } from "@tillkit/core/http";

/**
 * Writes the head of a streamed reply at once, and then its texts as fast as the client reads.
 *
 * Resolves when the stream has ended, or when the client has disconnected and `return()` of the
 * iterator has resolved. If the stream throws, closes the connection and rejects with its error.
 */
export async function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  reply: HttpReply,
  body: AsyncIterable<string>,
): Promise<void> {
  // The client has disconnected, or a timeout of the host has answered already.
  if (response.destroyed || response.headersSent) return discardStream(body);
  try {
    response.writeHead(reply.status, reply.headers);
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
  response.flushHeaders();
  const texts = body[Symbol.asyncIterator]();
  await new Promise<void>((resolve, reject) => {
    const leave = (): void => {
      Promise.resolve(texts.return?.()).then(() => resolve(), reject);
    };
    response.once("close", leave);
    writeAll(response, texts).then(
      () => {
        if (response.destroyed) return;
        response.off("close", leave);
        response.end();
        resolve();
      },
      (error: unknown) => {
        // After the client has disconnected, the stream may fail because it was told to stop.
        if (response.destroyed) return;
        response.off("close", leave);
        breakOff(response);
        reject(error);
      },
    );
  });
}

async function writeAll(response: ServerResponse, texts: AsyncIterator<string>): Promise<void> {
  for (let next = await texts.next(); next.done !== true; next = await texts.next()) {
    if (response.destroyed) return;
    if (!response.write(next.value)) await writable(response);
    if (response.destroyed) return;
  }
}

/** Resolves when the client has read what was written, or has disconnected. */
function writable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off("drain", settle);
      response.off("close", settle);
      resolve();
    };
    response.on("drain", settle);
    response.on("close", settle);
  });
}

/** Closes the connection so that the client notices that the reply is incomplete. */
function breakOff(response: ServerResponse): void {
  // A client of HTTP/1.0 takes an orderly end of the connection for the end of the reply. Only a
  // reset tells it otherwise, which Node can send on a TCP socket.
  try {
    response.socket?.resetAndDestroy();
  } catch {
    // The socket is encrypted or local.
  }
  response.destroy();
}
