import { AsyncLocalStorage } from "node:async_hooks";
import { newTraceId, type ServiceEvent } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import { systemRandom } from "@tillkit/runtime";
import type { Logger } from "pino";

/** Methods that are logged. A client may invent others. */
const METHODS = new Set(["GET", "POST"]);

type RequestAnswered = Extract<ServiceEvent, { type: "request.answered" }>;

/** A request that is being answered. */
interface Answering {
  readonly traceId: string;
  event?: RequestAnswered;
  isRefused?: true;
}

/** The request that is being answered. Two requests may have the same trace id. */
const answering = new AsyncLocalStorage<Answering>();

/** Returns the trace id of the current request, for each log line that it causes. */
export function currentTrace(): { readonly traceId?: string } {
  const current = answering.getStore();
  return current === undefined ? {} : { traceId: current.traceId };
}

/** Runs `work` outside of the current request, for lines that are about several requests. */
export function outsideOfRequest<T>(work: () => T): T {
  return answering.exit(work);
}

/** Keeps the failure of the current request for its log line. */
export function noteAnswer(event: RequestAnswered): void {
  const current = answering.getStore();
  if (current !== undefined) current.event = event;
}

/** Leaves the current request without a line: one line a second counts the refused requests. */
export function noteRefusal(): void {
  const current = answering.getStore();
  if (current !== undefined) current.isRefused = true;
}

/**
 * Returns a surface like `surface` that logs each request in one line.
 *
 * The line contains no address, no parameter and no header. Every line that the request causes has
 * its trace id. A request that the limits refuse gets no line of its own.
 */
export function logRequests(surface: Surface, logger: Logger): Surface {
  return {
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    async handle(request) {
      const startedAt = performance.now();
      const { traceId = newTraceId(systemRandom) } = request;
      const current: Answering = { traceId };
      return answering.run(current, async () => {
        const reply = await surface.handle({ ...request, traceId });
        if (current.isRefused) return reply;
        const { failure, cause } = current.event ?? {};
        const line = {
          method: METHODS.has(request.method) ? request.method : "OTHER",
          route: reply.route ?? "unknown",
          code: reply.code ?? "none",
          status: reply.status,
          durationMs: Math.round(performance.now() - startedAt),
          ...(failure === undefined ? {} : { failure }),
        };
        if (cause === undefined) logger.info(line, "request");
        else logger.error({ ...line, err: cause }, "request");
        return reply;
      });
    },
  };
}
