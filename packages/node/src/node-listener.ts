import { isError } from "@tillkit/core/errors";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Mounts, surfaceFinder } from "@tillkit/core/http";
import { answerRequest, type PeerOf } from "./answer-request.js";
import type { NodeRequest, NodeResponse } from "./node-messages.js";
import { sendReply } from "./send-reply.js";
import { splitTarget } from "./split-target.js";

/** A listener for the requests of a server of `node:http`, `node:https` or `node:http2`. */
export type NodeListener<Request, Response> = (request: Request, response: Response) => void;

/** Options of {@link nodeListener}. */
export interface NodeListenerOptions<Request = IncomingMessage, Response = ServerResponse> {
  /**
   * Answers requests that no surface owns, such as the listener of the host's application.
   *
   * Defaults to a 404 without a body.
   */
  readonly otherwise?: NodeListener<Request, Response>;
  /**
   * Reports an unexpected error: a surface of the host rejects, a stream throws, or a body was read
   * before.
   *
   * The client has received a 500 if the response had not begun. Defaults to a process warning,
   * which is also emitted if `onError` itself throws or rejects.
   */
  readonly onError?: (error: unknown, request: Request) => void | Promise<void>;
  /**
   * Returns the address a request came from. Defaults to the address of the socket.
   *
   * Behind a proxy, return the address that the proxy reports: requests whose sender is not
   * authenticated yet share concurrency slots by address.
   */
  readonly peerOf?: PeerOf<Request>;
}

/**
 * Creates a listener that answers for the surfaces in `mounts`.
 *
 * It serves `createServer` of `node:http` and `node:https`, and `createServer` and
 * `createSecureServer` of `node:http2`.
 *
 * Code that wraps the listener must not read the body of the request.
 *
 * @param mounts - the surfaces by mount point.
 * @returns the listener.
 * @throws RangeError if a mount point is not a path.
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { limitedSurfaces } from "@tillkit/core/http";
 * import { nodeListener } from "@tillkit/node";
 *
 * createServer(nodeListener({ "/pay": limitedSurfaces(ports).payments })).listen(8080);
 * ```
 */
export function nodeListener<
  Request extends NodeRequest = IncomingMessage,
  Response extends NodeResponse = ServerResponse,
>(
  mounts: Mounts,
  {
    otherwise = notFound,
    onError = warn,
    peerOf = socketAddress,
  }: NodeListenerOptions<NoInfer<Request>, NoInfer<Response>> = {},
): NodeListener<Request, Response> {
  const find = surfaceFinder(mounts);
  return (request, response) => {
    const { path, query } = splitTarget(request.url ?? "");
    const found = find(request.method ?? "", path);
    if (found === undefined) {
      otherwise(request, response);
      return;
    }
    const answer = async () => {
      try {
        const target = { path: found.path, query };
        await answerRequest(found.surface, target, request, response, peerOf(request));
      } catch (error) {
        giveUp(request, response);
        await onError(error, request);
      }
    };
    // A failing `onError` must not end the process and with it all other requests.
    answer().catch(warn);
  };
}

const socketAddress: PeerOf<NodeRequest> = ({ socket }) => socket.remoteAddress;

const notFound: NodeListener<NodeRequest, NodeResponse> = (request, response) =>
  dismiss(request, response, 404);

/** Answers with a 500, or closes the connection if no answer can be sent. */
function giveUp(request: NodeRequest, response: NodeResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  try {
    dismiss(request, response, 500);
  } catch {
    // The 500 fails for the same reason as the reply, such as an invalid status text that the host
    // set.
    response.destroy();
  }
}

/** Sends a status without a body. The rest of the request is read and discarded. */
function dismiss(request: NodeRequest, response: NodeResponse, status: number): void {
  request.resume();
  void sendReply(request, response, { status, headers: {}, body: "" }, true);
}

function warn(error: unknown): void {
  // Other properties of an error may hold secrets, such as the parameters of a statement.
  const detail = isError(error) ? error.stack : `The surface threw a ${typeof error}.`;
  process.emitWarning("A request could not be answered.", { type: "TillkitWarning", detail: detail ?? "" });
}
