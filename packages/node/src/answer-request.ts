import { type ClientSignal, headersIn, type Surface } from "@tillkit/core/http";
import { hasLeft, type NodeRequest, type NodeResponse } from "./node-messages.js";
import { readBody } from "./read-body-up-to-limit.js";
import { sendReply } from "./send-reply.js";
import type { RequestTarget } from "./split-target.js";

/** Returns the address a request came from, as the host trusts it; `undefined` if it is unknown. */
export type PeerOf<Request> = (request: Request) => string | undefined;

/**
 * Reads the raw body, passes the request to `surface`, and sends the reply.
 *
 * Does not check whether `surface` owns the path. Resolves when Node has accepted the reply, or
 * when the client has disconnected. Rejects, with nothing sent, if the body was read before and its
 * bytes were not kept, if the surface rejects, or if Node cannot send the reply. If a stream
 * throws, closes the connection and rejects with the error of the stream.
 *
 * @param target - the path below the mount point, with the query.
 * @param peer - the address the request came from. Defaults to the address of the socket.
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { limitedSurfaces } from "@tillkit/core/http";
 * import { answerRequest, splitTarget } from "@tillkit/node";
 *
 * const { payments } = limitedSurfaces(ports);
 * createServer((request, response) => {
 *   const target = splitTarget(request.url ?? "/");
 *   void answerRequest(payments, target, request, response);
 * }).listen(8080);
 * ```
 */
export async function answerRequest(
  surface: Surface,
  target: RequestTarget,
  request: NodeRequest,
  response: NodeResponse,
  peer: string | undefined = request.socket.remoteAddress,
): Promise<void> {
  const reading = readBody(request, surface.maxRequestBytes);
  // Without a body, `reading` is no promise, and an `await` would only cost time.
  const body = reading instanceof Promise ? await reading : reading;
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
  const sending = sendReply(request, response, reply, body === "too-large");
  // Only a stream returns a promise.
  if (sending !== undefined) await sending;
}

/**
 * Aborts if the connection closes before the response has ended.
 *
 * This is a class because creating an object with a getter for every request costs more than the
 * rest of the binding's work.
 */
class Client implements ClientSignal {
  // An AbortController is expensive and few requests wait, so the first listener creates it.
  #signal: AbortSignal | undefined;
  readonly #response: NodeResponse;

  constructor(response: NodeResponse) {
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

function abortedOnLeaving(response: NodeResponse): AbortSignal {
  const leaving = new AbortController();
  response.once("close", () => {
    // Without a reason, `abort` would create an exception with a stack, which is expensive.
    if (hasLeft(response)) leaving.abort("The client has disconnected.");
  });
  return leaving.signal;
}
