import type { Surface } from "@tillkit/core/http";
import { answerRequest, splitTarget } from "@tillkit/node";
import type { RequestHandler } from "express";

/**
 * Mounts any `Surface` on Express 4 or 5. Requests the surface does not own go on to the host's next handler. It reads the raw
 * body itself, so mount it ahead of body parsers; anything unexpected arrives at the host's error handler, never as a rejection.
 */
export function surfaceRouter(surface: Surface): RequestHandler {
  return (request, response, next) => {
    // Express has already cut the mount point off `url`.
    const target = splitTarget(request.url);
    if (!surface.owns(request.method, target.path)) {
      next();
      return;
    }
    if (!response.headersSent) response.removeHeader("x-powered-by");
    answerRequest(surface, target, request, response).catch((cause: unknown) => {
      // Express takes `undefined`, "route" and "router" for "go on", so only an Error may be passed to `next`.
      next(cause instanceof Error ? cause : new Error("The surface failed without an Error", { cause }));
    });
  };
}
