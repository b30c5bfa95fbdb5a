import type { IncomingMessage, Server } from "node:http";
import { splitTarget } from "@tillkit/node";

/** The original URL of each request whose URL was replaced. */
const written = new WeakMap<IncomingMessage, string>();

/** Returns the URL of a request as its client wrote it. */
export function writtenUrl(request: IncomingMessage): string {
  return written.get(request) ?? request.url ?? "";
}

/**
 * Replaces paths that Fastify cannot decode, such as `/pay/%zz`, if `owns` returns true for them.
 *
 * Otherwise Fastify's router answers such a request before any plugin runs. With a path that the
 * router can decode, the request reaches the surface, which answers as on every other server.
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
