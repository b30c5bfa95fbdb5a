import type { IncomingHttpHeaders } from "node:http";
import type { HttpRequest, Surface } from "@tillkit/core/http";
import { Router, type Request, type Response } from "express";
import { readBody } from "./read-body.js";
import { sendReply } from "./send-reply.js";

/**
 * Mounts any `Surface` on Express 4 or 5. Requests the surface does not own go on to the host's next handler. It reads the raw
 * body itself, so mount it ahead of body parsers; anything unexpected arrives at the host's error handler, never as a rejection.
 */
export function surfaceRouter(surface: Surface): Router {
  const router = Router();
  router.use((request, response, next) => {
    const target = splitTarget(request.url);
    if (!surface.owns(request.method, target.path)) {
      next();
      return;
    }
    answer(surface, target, request, response).catch((cause: unknown) => {
      // Express takes `undefined`, "route" and "router" for "go on", so only an Error may be passed to `next`.
      next(cause instanceof Error ? cause : new Error("The surface failed without an Error", { cause }));
    });
  });
  return router;
}

async function answer(surface: Surface, target: Target, request: Request, response: Response): Promise<void> {
  const body = await readBody(request, surface.maxRequestBytes);
  if (body === "aborted") return;
  const reply = await surface.handle({
    method: request.method,
    ...target,
    headers: joinRepeats(request.headers),
    body,
    client: clientOf(response),
  });
  sendReply(request, response, reply, body === "too-large");
}

/** Aborted when the connection ends before the response has. */
function clientOf(response: Response): AbortSignal {
  const leaving = new AbortController();
  const look = (): void => {
    // A reason of our own: the default one is an exception, made with its stack.
    if (!response.writableFinished) leaving.abort("The client has gone.");
  };
  if (response.destroyed) look();
  else response.once("close", look);
  return leaving.signal;
}

type Target = Pick<HttpRequest, "path" | "query">;

/** Express has already cut the mount point off `url`; a client that sends an absolute URL gets its scheme and host cut here. */
function splitTarget(url: string): Target {
  const target = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path === "" ? "/" : path, query: mark < 0 ? "" : target.slice(mark + 1) };
}

/** Node has joined the repeats of nearly every header; the few it keeps as lists are joined the same way. */
function joinRepeats(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  const joined: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    joined[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return joined;
}
