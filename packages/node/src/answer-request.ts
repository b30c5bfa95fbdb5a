import type { IncomingMessage, ServerResponse } from "node:http";
import { type ClientSignal, headersIn, type Surface } from "@tillkit/core/http";
import { readBody } from "./read-body.js";
import { sendReply } from "./send-reply.js";
import type { Target } from "./split-target.js";

/**
 * Returns the address a request came from, as the host vouches for it; `undefined` if it is
 * unknown.
 */
export type PeerOf<Request> = (request: Request) => string | undefined;

/**
 * Has `surface` answer a request that it owns. Reads the raw body itself.
 *
 * Resolves when the reply was handed to Node, or when the client has gone. Rejects, with nothing sent, when the body was read before, with
 * what the surface rejects with, and with what Node throws for a reply it cannot send.
 *
 * @param target - the path below the mount point, with the query.
 * @param peer - the address the request came from; by default that of the socket.
 */
export async function answerRequest(
  surface: Surface,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
  peer: string | undefined = request.socket.remoteAddress,
): Promise<void> {
  const body = await readBody(request, surface.maxRequestBytes);
  if (body === "aborted") return;
  const reply = await surface.handle({
    method: request.method ?? "",
    path: target.path,
    query: target.query,
    headers: headersIn(request.headers),
    body,
    client: new Client(response),
    peer,
  });
  sendReply(request, response, reply, body === "too-large");
}

/**
 * Aborted when the connection ends before the response has. A class, because making an object with a getter for every request costs more than all the
 * rest of a binding's own work.
 */
class Client implements ClientSignal {
  // Few requests wait, and an AbortController costs even more: only who waits gets one.
  #signal: AbortSignal | undefined;
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get aborted(): boolean {
    return hasLeft(this.#response);
  }

  addEventListener(type: "abort", listener: () => void): void {
    this.#signal ??= abortedOnLeaving(this.#response);
    this.#signal.addEventListener(type, listener);
  }

  removeEventListener(type: "abort", listener: () => void): void {
    this.#signal?.removeEventListener(type, listener);
  }
}

function hasLeft(response: ServerResponse): boolean {
  return response.destroyed && !response.writableFinished;
}

function abortedOnLeaving(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  response.once("close", () => {
    // A reason of our own: the default one is an exception, made with its stack.
    if (hasLeft(response)) leaving.abort("The client has gone.");
  });
  return leaving.signal;
}
