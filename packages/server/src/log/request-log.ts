import { AsyncLocalStorage } from "node:async_hooks";
import { newTraceId, type ServiceEvent } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import type { AroundStep } from "@tillkit/host";
import { systemRandom } from "@tillkit/runtime";
import type { Logger } from "pino";

/** The methods that the log names. A client may send any text, so others are logged as `OTHER`. */
const METHODS = new Set(["GET", "POST"]);

type RequestAnswered = Extract<ServiceEvent, { type: "request.answered" }>;

/** A request that is being answered. */
interface Answering {
  readonly traceId: string;
  event?: RequestAnswered;
  isRefused?: true;
}

/** A step of a background task that is running. */
interface Stepping {
  readonly task: string;
  readonly traceId: string;
}

/** The request that is being answered. Two requests may have the same trace id. */
const answering = new AsyncLocalStorage<Answering>();

/** The step that is running. A request may have woken its task, so both stores may have a value. */
const stepping = new AsyncLocalStorage<Stepping>();

/** Returns the ids of the current step or request, for each log line that it causes. */
export function currentTrace(): { readonly traceId?: string; readonly task?: string } {
  const step = stepping.getStore();
  if (step !== undefined) return step;
  const current = answering.getStore();
  return current === undefined ? {} : { traceId: current.traceId };
}

/**
 * Gives every log line of a step of a background task the name of the task and a trace id.
 *
 * @param around - runs the step in a span, whose trace id the lines then have.
 */
export function logSteps(logger: Logger, around?: AroundStep): AroundStep {
  const logged: AroundStep = ({ task, traceId }, step) =>
    answering.exit(() =>
      stepping.run({ task, traceId }, () => {
        logger.debug("background task started");
        return step(traceId);
      }),
    );
  if (around === undefined) return logged;
  return (run, step) => around(run, (traceId = run.traceId) => logged({ ...run, traceId }, step));
}

/** Runs `work` outside of the current request, for log lines about several requests. */
export function outsideOfRequest<T>(work: () => T): T {
  return answering.exit(work);
}

/** Keeps the failure of the current request for its log line. */
export function noteAnswer(event: RequestAnswered): void {
  const current = answering.getStore();
  if (current !== undefined) current.event = event;
}

/** Suppresses the log line of the current request. One line a second counts such requests. */
export function noteRefusal(): void {
  const current = answering.getStore();
  if (current !== undefined) current.isRefused = true;
}

/**
 * Returns a surface like `surface` that logs each request in one line.
 *
 * The line contains no address, no parameter and no header, only the app if it exists. Every line
 * that the request causes has its trace id. A request that the concurrency limiter rejects has no
 * line of its own.
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
        const { appId, failure = reply.failure?.name, cause = reply.failure?.cause } = current.event ?? {};
        const line = {
          method: METHODS.has(request.method) ? request.method : "OTHER",
          route: reply.route ?? "unknown",
          code: reply.code ?? "none",
          status: reply.status,
          durationMs: Math.round(performance.now() - startedAt),
          ...(appId === undefined ? {} : { appId }),
          ...(failure === undefined ? {} : { failure }),
        };
        if (cause === undefined) logger.info(line, "request");
        else logger.error({ ...line, err: cause }, "request");
        return reply;
      });
    },
  };
}
