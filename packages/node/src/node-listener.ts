import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { inspect } from "node:util";
import { type Mounts, surfaceFinder } from "@tillkit/core/http";
import { answerRequest, type PeerOf } from "./answer-request.js";
import { sendReply } from "./send-reply.js";
import { splitTarget } from "./split-target.js";

/** What a listener does about requests that no surface answers. */
export interface NodeListenerOptions {
  /** Answers what no surface owns, such as the application behind; 404 with no body unless told. */
  readonly otherwise?: RequestListener;
  /**
   * Hears of what must not happen: a surface of your own that rejects, or a body that was read before. The client has got a 500, if anything
   * could still be sent. A warning of the process unless told, and when it throws itself.
   */
  readonly onError?: (error: unknown, request: IncomingMessage) => void | Promise<void>;
  /**
   * Returns the address a request came from. Defaults to the address of the socket.
   *
   * Behind a proxy, return the address that the proxy reports: requests that have not proven their
   * sender yet share places by address.
   */
  readonly peerOf?: PeerOf<IncomingMessage>;
}

/**
 * A listener for `createServer` of `node:http` that answers for the surfaces below their mount points. Whoever wraps it must leave the body
 * of the request alone. Throws on a mount point that is no path.
 */
export function nodeListener(
  mounts: Mounts,
  { otherwise = notFound, onError = warn, peerOf = socketAddress }: NodeListenerOptions = {},
): RequestListener {
  const find = surfaceFinder(mounts);
  return (request, response) => {
    const { path, query } = splitTarget(request.url ?? "");
    const found = find(request.method ?? "", path);
    if (found === undefined) {
      otherwise(request, response);
      return;
    }
    const answer = async () => {
      const target = { path: found.path, query };
      await answerRequest(found.surface, target, request, response, peerOf(request));
    };
    answer()
      .catch(async (error: unknown) => {
        giveUp(request, response);
        await onError(error, request);
      })
      // Whoever fails to hear of it must not take the process and all other requests with it.
      .catch(warn);
  };
}

const socketAddress: PeerOf<IncomingMessage> = ({ socket }) => socket.remoteAddress;

const notFound: RequestListener = (request, response) => dismiss(request, response, 404);

/** Ends with a 500, or with the connection where nothing can be sent. */
function giveUp(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  try {
    dismiss(request, response, 500);
  } catch {
    // What made the reply impossible is still there: a status text of the host's, or what it has put around the response.
    response.destroy();
  }
}

/** Sends a bare status. Whatever the client still sends is read and thrown away. */
function dismiss(request: IncomingMessage, response: ServerResponse, status: number): void {
  request.resume();
  sendReply(request, response, { status, headers: {}, body: "" }, true);
}

function warn(error: unknown): void {
  process.emitWarning("A request could not be answered.", { type: "TillkitWarning", detail: inspect(error) });
}
