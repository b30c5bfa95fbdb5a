import { isError } from "@tillkit/core/errors";
import type { Surface } from "@tillkit/core/http";
import { answerRequest, type PeerOf, splitTarget } from "@tillkit/node";
import type { Request, RequestHandler } from "express";
import { mountedExactly } from "./mounted-exactly.js";

/** How a router finds the sender address of a request. */
export interface SurfaceRouterOptions {
  /**
   * Returns the address a request came from.
   *
   * Defaults to `request.ip`, which follows the "trust proxy" setting of the application.
   *
   * Requests whose sender is not authenticated yet share concurrency slots by address.
   */
  readonly peerOf?: PeerOf<Request>;
}

/**
 * Mounts any `Surface` on Express 4 or 5.
 *
 * Passes requests that the surface does not own to the host's next handler. Reads the raw body, so
 * mount it before body parsers. Passes unexpected errors to the host's error handler and never
 * rejects.
 *
 * Compares a mount point given to `app.use` case-sensitively, whatever the application's "case
 * sensitive routing" is.
 *
 * @returns the handler, for `app.use`.
 * @example
 * ```ts
 * import { limitedSurfaces } from "@tillkit/core/http";
 * import { surfaceRouter } from "@tillkit/express";
 *
 * app.use("/pay", surfaceRouter(limitedSurfaces(ports).payments));
 * ```
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
      // Express reads `undefined`, "route" and "router" as "continue", so `next` gets only an
      // Error.
      next(isError(cause) ? cause : new Error("The surface failed without an Error", { cause }));
    });
  });
}

const addressByExpress: PeerOf<Request> = (request) => request.ip;

/** Returns the URL below the mount point, which Express has already removed. */
function urlBelow({ originalUrl, baseUrl, url }: Request): string {
  // Express 4 removes one slash too many if two slashes follow the mount point.
  return url.startsWith("/") && originalUrl === `${baseUrl}/${url}` ? `/${url}` : url;
}
