import { AsyncLocalStorage } from "node:async_hooks";
import type { ServiceEvent } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import type { Logger } from "./logger.js";

/** Methods that are logged. A client may invent others. */
const METHODS = new Set(["GET", "POST"]);

type RequestAnswered = Extract<ServiceEvent, { type: "request.answered" }>;

/** The event of the request that is being answered. Two requests may have the same trace id. */
const answering = new AsyncLocalStorage<{ event?: RequestAnswered }>();

/** Keeps the failure of the current request for its log line. */
export function noteAnswer(event: RequestAnswered): void {
  const current = answering.getStore();
  if (current !== undefined) current.event = event;
}

/**
 * Returns a surface like `surface` that logs each request in one line.
 *
 * The line contains no address, no parameter and no header.
 */
export function logRequests(surface: Surface, logger: Logger): Surface {
  return {
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    async handle(request) {
      const startedAt = performance.now();
      const current: { event?: RequestAnswered } = {};
      const reply = await answering.run(current, () => surface.handle(request));
      const { failure, cause } = current.event ?? {};
      const line = {
        method: METHODS.has(request.method) ? request.method : "OTHER",
        route: reply.route ?? "unknown",
        code: reply.code ?? "none",
        status: reply.status,
        traceId: reply.headers["x-trace-id"],
        durationMs: Math.round(performance.now() - startedAt),
        ...(failure === undefined ? {} : { failure }),
      };
      if (cause === undefined) logger.info(line, "request");
      else logger.error({ ...line, err: cause }, "request");
      return reply;
    },
  };
}
