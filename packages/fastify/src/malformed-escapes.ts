import type { IncomingMessage, Server } from "node:http";
import { splitTarget } from "@tillkit/node";

/** The URLs as the clients wrote them, of the requests whose URL was replaced. */
const written = new WeakMap<IncomingMessage, string>();

/** Returns the URL of a request as its client wrote it. */
export function writtenUrl(request: IncomingMessage): string {
  return written.get(request) ?? request.url ?? "";
}

/**
 * Lets Fastify route the requests whose path it cannot decode, such as `/pay/%zz`, if `owns` is
 * true.
 *
 * Fastify's router answers such a path before any plugin sees it. A surface has its own answer, as
 * on every other server, so the router gets a path that it can decode.
 */
export function routeMalformedEscapes(
  server: Server,
  owns: (method: string | undefined, path: string) => boolean,
): void {
  server.prependListener("request", (request) => {
    const url = writtenUrl(request);
    const { path, query } = splitTarget(url);
    if (isDecodable(path) || !owns(request.method, path)) return;
    written.set(request, url);
    request.url = `${path.replaceAll("%", "%25")}?${query}`;
  });
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
