import { type ClientSignal, type Mounted, type Mounts, surfaceFinder } from "@tillkit/core/http";
import { readBody } from "./read-body.js";
import { toResponse } from "./to-response.js";

/** What a handler does about requests that no surface answers. `Rest` is what a platform hands over beside the request. */
export interface FetchHandlerOptions<Rest extends readonly unknown[]> {
  /** Answers what no surface owns, such as `app.fetch` of the application behind; 404 with no body unless told. */
  readonly otherwise?: (request: Request, ...rest: Rest) => Response | Promise<Response>;
  /**
   * Returns the address a request came from, as the platform or a trusted proxy reports it.
   *
   * A `Request` carries no address. Without this function, all requests that have not proven their
   * sender yet share one set of places.
   */
  readonly peerOf?: (request: Request, ...rest: Rest) => string | undefined;
}

/**
 * A function from `Request` to `Response` that answers for the surfaces below their mount points. It reads the raw body itself, so it must
 * get a request before anything else reads its body. Rejects when that has happened, and with what a surface of your own rejects with.
 * Throws on a mount point that is no path.
 */
export function fetchHandler<Rest extends readonly unknown[]>(
  mounts: Mounts,
  { otherwise = notFound, peerOf = noPeer }: FetchHandlerOptions<Rest> = {},
): (request: Request, ...rest: Rest) => Promise<Response> {
  const find = surfaceFinder(mounts);
  return async (request, ...rest) => {
    const { pathname, search } = new URL(request.url);
    const found = find(request.method, pathname);
    if (found === undefined) return otherwise(request, ...rest);
    return answer(found, search.slice(1), request, peerOf(request, ...rest));
  };
}

async function answer(
  { surface, path }: Mounted,
  query: string,
  request: Request,
  peer: string | undefined,
): Promise<Response> {
  const { method, headers } = request;
  const read = await readBody(request, surface.maxRequestBytes);
  // Nobody gets this one.
  if (read.kind === "aborted") return new Response(null, { status: 400 });
  const body = read.kind === "whole" ? read.bytes : "too-large";
  const reply = await surface.handle({
    method,
    path,
    query,
    headers,
    body,
    client: new Client(request),
    peer,
  });
  return read.kind === "whole" ? toResponse(reply) : toResponse(reply, read.drained);
}

/** The signal of a request. A platform may make one only when it is asked for it, and an AbortController costs much: few requests wait. */
class Client implements ClientSignal {
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
  }

  get aborted(): boolean {
    return this.#request.signal.aborted;
  }

  addEventListener(type: "abort", listener: () => void): void {
    this.#request.signal.addEventListener(type, listener);
  }

  removeEventListener(type: "abort", listener: () => void): void {
    this.#request.signal.removeEventListener(type, listener);
  }
}

function noPeer(): undefined {
  return undefined;
}

function notFound(): Response {
  return new Response(null, { status: 404 });
}
