import type { Logger } from "./logger.js";
import type { Metrics } from "./metrics.js";

/** A request as it may be counted and logged: without addresses, parameters and headers. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path of a route table, or `unknown`. */
  readonly route: string;
  /** The `code` of the envelope; `none` if the reply has no envelope. */
  readonly code: number | "none";
  /** The HTTP status. */
  readonly status: number;
  readonly traceId: string;
  readonly durationMs: number;
  /** The name of the failure in the error catalog. */
  readonly failure?: string;
  /** The error that a dependency threw. */
  readonly cause?: unknown;
}

/**
 * Methods that are a metric label. All others share one label, because a client may invent methods.
 */
const METHODS = new Set(["GET", "POST"]);

/** Creates the function that counts and logs every answered request. */
export function requestRecorder(logger: Logger, metrics: Metrics): (request: AnsweredRequest) => void {
  return ({ cause, ...request }) => {
    const { route, code, status, durationMs } = request;
    const method = METHODS.has(request.method) ? request.method : "OTHER";
    metrics.requests.inc({ method, route, code: String(code), status: String(status) });
    metrics.requestSeconds.observe({ method, route }, durationMs / 1_000);
    if (cause === undefined) logger.info({ ...request, method }, "request");
    else logger.error({ ...request, method, err: cause }, "request");
  };
}
