import {
  EndableClient,
  isStream,
  type MessageHeaders,
  type Mounted,
  type Mounts,
  surfaceFinder,
} from "@tillkit/core/http";
import { readBody } from "./read-body-up-to-limit.js";
import { streamResponse } from "./stream-response.js";
import { toResponse } from "./to-response.js";

/**
 * Options of {@link fetchHandler}. `Rest` is the type of the arguments that the platform passes
 * after the request.
 */
export interface FetchHandlerOptions<Rest extends readonly unknown[]> {
  /**
   * Answers requests that no surface owns, such as `app.fetch` of the host's application.
   *
   * Defaults to a 404 without a body.
   */
  readonly otherwise?: (request: Request, ...rest: Rest) => Response | Promise<Response>;
  /**
   * Returns the address a request came from, as the platform or a trusted proxy reports it.
   *
   * A `Request` contains no address. Without this function, all requests whose sender is not
   * authenticated yet share the concurrency slots of one address.
   */
  readonly peerOf?: (request: Request, ...rest: Rest) => string | undefined;
}

/**
 * Creates a function from `Request` to `Response` that answers for the surfaces in `mounts`.
 *
 * Reads the raw body, so the host must not read the body of a request before. The function rejects
 * if the body was read before. If a surface rejects, the function rejects with the same error.
 *
 * @param mounts - the surfaces by mount point.
 * @returns the function. It takes the request and the platform's further arguments.
 * @throws RangeError if a mount point is not a path.
 * @example
 * ```ts
 * import { limitedSurfaces } from "@tillkit/core/http";
 * import { fetchHandler } from "@tillkit/fetch";
 *
 * export default { fetch: fetchHandler({ "/pay": limitedSurfaces(ports).payments }) };
 * ```
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
  const { method } = request;
  const read = await readBody(request, surface.maxRequestBytes);
  // The client has disconnected, so it does not receive this response.
  if (read.kind === "aborted") return new Response(null, { status: 400 });
  const body = read.kind === "whole" ? read.bytes : "too-large";
  const client = new EndableClient(request);
  const reply = await surface.handle({
    method,
    path,
    query,
    headers: requestHeaders(request),
    body,
    client,
    peer,
  });
  const { body: sent } = reply;
  if (isStream(sent)) return streamResponse(request, reply, sent, () => client.leave());
  return read.kind === "whole" ? toResponse(reply, sent) : toResponse(reply, sent, read.drained);
}

/** A request over HTTP/2 has no header `host`: platforms put `:authority` into its URL only. */
function requestHeaders({ headers, url }: Request): MessageHeaders {
  return {
    get: (name) => headers.get(name) ?? (name === "host" ? new URL(url).host : null),
  };
}

function noPeer(): undefined {
  return undefined;
}

function notFound(): Response {
  return new Response(null, { status: 404 });
}
