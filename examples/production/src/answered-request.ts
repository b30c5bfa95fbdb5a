import type { Logger } from "./logger.js";
import type { Metrics } from "./metrics.js";

/** A request as it may be counted and written down: no address, no parameter, no header. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path of a route table, or `unknown`. */
  readonly route: string;
  /** The envelope's `code`; `none` where there is no envelope. */
  readonly code: number | "none";
  /** The HTTP status. */
  readonly status: number;
  readonly traceId: string;
  readonly durationMs: number;
  /** The catalogue's name of the failure. */
  readonly failure?: string;
  /** What a dependency threw. */
  readonly cause?: unknown;
}

/** Methods worth a label; the rest share one, since a client may invent them. */
const METHODS = new Set(["GET", "POST"]);

/** What is done with every answered request: it is counted, and it gets its line in the log. */
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
