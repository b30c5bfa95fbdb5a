import {
  type Attributes,
  context,
  type Meter,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  isSpanContextValid,
  type TextMapGetter,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { type HttpReply, type HttpRequest, type Surface, whenReplyEnds } from "@tillkit/core/http";
import { DURATION_BUCKETS } from "./duration-buckets.js";
import { SCOPE } from "./scope.js";

/** The options of {@link instrumentSurface}. */
export interface SurfaceOptions {
  /** Defaults to the global tracer provider's tracer of this package. */
  readonly tracer?: Tracer;
  /** Defaults to the global meter provider's meter of this package. */
  readonly meter?: Meter;
}

/** HTTP methods with their own label. All others share one, because a client may invent methods. */
const METHODS = new Set(["GET", "POST"]);

const headersGetter: TextMapGetter<HttpRequest["headers"]> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: () => [],
};

/**
 * Returns a surface like `surface` with a span and metrics for each request.
 *
 * The span continues the trace of the request's `traceparent` header. The reply's `x-trace-id`
 * header, and the `traceId` of the envelope, are the id of the trace. The metrics are
 * `tillkit.requests` by method, route, code and status, and `tillkit.request.duration` by method
 * and route.
 *
 * The span of a streamed reply ends when the stream ends. The span of an event stream ends when the
 * stream opens. A stream that throws marks the span as an error.
 *
 * @returns a surface that owns the same paths.
 * @example
 * ```ts
 * import { limitedSurfaces } from "@tillkit/core/http";
 * import { surfaceRouter } from "@tillkit/express";
 * import { instrumentSurface } from "@tillkit/opentelemetry";
 *
 * app.use("/pay", surfaceRouter(instrumentSurface(limitedSurfaces(ports).payments)));
 * ```
 */
export function instrumentSurface(surface: Surface<string>, options?: SurfaceOptions): Surface<string>;
/** Instruments a surface that also replies with bytes or streams. */
export function instrumentSurface(surface: Surface, options?: SurfaceOptions): Surface;
export function instrumentSurface(
  surface: Surface,
  { tracer = trace.getTracer(SCOPE), meter = metrics.getMeter(SCOPE) }: SurfaceOptions = {},
): Surface {
  const requests = meter.createCounter("tillkit.requests", {
    description: "Answered requests. `code` is that of the envelope, or none.",
  });
  const durations = meter.createHistogram("tillkit.request.duration", {
    description: "The duration of requests.",
    unit: "s",
    advice: { explicitBucketBoundaries: DURATION_BUCKETS },
  });

  function record(request: HttpRequest, { route = "unknown", code, status }: HttpReply, ms: number): void {
    const method = METHODS.has(request.method) ? request.method : "OTHER";
    requests.add(1, { method, route, code: String(code ?? "none"), status: String(status) });
    durations.record(ms / 1_000, { method, route });
  }

  return {
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    handle: (request) => {
      const startedAt = performance.now();
      const { method } = request;
      const parent = propagation.extract(context.active(), request.headers, headersGetter);
      const isKnown = METHODS.has(method);
      const attributes: Attributes = { "http.request.method": isKnown ? method : "_OTHER" };
      // A client may invent methods, so the name of a span contains only known ones.
      const name = isKnown ? method : "HTTP";
      return tracer.startActiveSpan(name, { kind: SpanKind.SERVER, attributes }, parent, async (span) => {
        const spanContext = span.spanContext();
        const { traceId } = spanContext;
        const traced = isSpanContextValid(spanContext) ? { ...request, traceId } : request;
        const reply = await surface.handle(traced).catch((thrown: unknown) => {
          // Only a surface that the host wrote may reject.
          span.setStatus({ code: SpanStatusCode.ERROR }).end();
          throw thrown;
        });
        const { route, status } = reply;
        if (route !== undefined) span.updateName(`${name} ${route}`).setAttribute("http.route", route);
        span.setAttribute("http.response.status_code", status);
        if (reply.code !== undefined) span.setAttribute("tillkit.code", reply.code);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        return whenReplyEnds(reply, (how) => {
          if (how === "failed") span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
          record(request, reply, performance.now() - startedAt);
        });
      });
    },
  };
}
