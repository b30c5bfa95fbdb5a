import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { SCOPE } from "./scope.js";

/** The options of {@link traceSteps}. */
export interface TraceStepsOptions {
  /** Defaults to the global tracer provider's tracer of this package. */
  readonly tracer?: Tracer;
}

/**
 * Creates a span for each step of a background task, for `aroundStep` of `@tillkit/host`.
 *
 * Each span starts a trace, because a step may serve many requests. If the host passes
 * {@link tracePorts} as `background.wrapPorts`, the spans of the step's calls are its children, and
 * the span of a failed step is marked as an error.
 *
 * @returns the value of `background.aroundStep`.
 * @example
 * ```ts
 * import { createTillkit, type TillkitOptions } from "@tillkit/host";
 * import { tracePorts, traceSteps } from "@tillkit/opentelemetry";
 *
 * declare const options: TillkitOptions;
 *
 * const background = { aroundStep: traceSteps(), wrapPorts: tracePorts };
 * const tillkit = createTillkit({ ...options, background });
 * ```
 */
export function traceSteps({ tracer = trace.getTracer(SCOPE) }: TraceStepsOptions = {}): <T>(
  run: { readonly task: string },
  step: (traceId?: string) => Promise<T>,
) => Promise<T> {
  return ({ task }, step) =>
    // A task that a request woke still has the context of that request.
    tracer.startActiveSpan(
      `task ${task}`,
      { kind: SpanKind.INTERNAL, attributes: { "tillkit.task": task } },
      ROOT_CONTEXT,
      async (span) => {
        const spanContext = span.spanContext();
        try {
          return await (isSpanContextValid(spanContext) ? step(spanContext.traceId) : step());
        } catch (thrown) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw thrown;
        } finally {
          span.end();
        }
      },
    );
}
