import type { Surface } from "@tillkit/core/http";
import { answerRequest, type PeerOf, splitTarget } from "@tillkit/node";
import type { Request, RequestHandler } from "express";
import { mountedExactly } from "./mounted-exactly.js";

/** How a router finds out where requests come from. */
export interface SurfaceRouterOptions {
  /**
   * Returns the address a request came from. Defaults to `request.ip`, which follows the "trust
   * proxy" setting of the application.
   *
   * Requests that have not proven their sender yet share places by address.
   */
  readonly peerOf?: PeerOf<Request>;
}

/**
 * Mounts any `Surface` on Express 4 or 5. Requests the surface does not own go on to the host's next handler. It reads the raw
 * body itself, so mount it ahead of body parsers; anything unexpected arrives at the host's error handler, never as a rejection.
 *
 * A mount point given to `app.use` is compared letter by letter, whatever the application's "case sensitive routing" says.
 */
export function surfaceRouter(
  surface: Surface,
  { peerOf = addressByExpress }: SurfaceRouterOptions = {},
): RequestHandler {
  return mountedExactly((request, response, next) => {
    const target = splitTarget(urlBelow(request));
    if (!surface.owns(request.method, target.path)) {
      next();
      return;
    }
    if (!response.headersSent) response.removeHeader("x-powered-by");
    const answer = async () => answerRequest(surface, target, request, response, peerOf(request));
    answer().catch((cause: unknown) => {
      // Express takes `undefined`, "route" and "router" for "go on", so only an Error may be passed to `next`.
      next(cause instanceof Error ? cause : new Error("The surface failed without an Error", { cause }));
    });
  });
}

const addressByExpress: PeerOf<Request> = (request) => request.ip;

/** The URL below the mount point, which Express has already cut off. */
function urlBelow({ originalUrl, baseUrl, url }: Request): string {
  // Express 4 takes one slash too many away when the mount point is followed by two.
  return url.startsWith("/") && originalUrl === `${baseUrl}/${url}` ? `/${url}` : url;
}
