import { context, type Meter, propagation, type Tracer } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Config } from "../config.js";
import { withUnits } from "./with-units.js";

/** The OpenTelemetry SDK of one host. */
export interface Telemetry {
  readonly meter: Meter;
  /** `undefined` without a collector of traces. */
  readonly tracer: Tracer | undefined;
  /** Collects the metrics, in the text format of Prometheus. */
  metricsText(): Promise<string>;
  /** Sends the last spans. Never rejects. */
  close(): Promise<void>;
}

const NAME = "tillkit";

/** Opens the SDK: metrics to be collected, and traces if the configuration names a collector. */
export function openTelemetry({ tracesUrl }: Pick<Config, "tracesUrl">): Telemetry {
  const resource = resourceFromAttributes({ "service.name": NAME });
  // The admin app serves the metrics, so the exporter opens no port.
  const reader = new PrometheusExporter({ preventServerStart: true });
  const meters = new MeterProvider({ resource, readers: [reader] });
  // No prefix, no time stamps, and no labels for scope and resource: the whole program has one
  // scope and one resource.
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  const tracers = tracesUrl === undefined ? undefined : openTracers(tracesUrl, resource);
  return {
    meter: meters.getMeter(NAME),
    tracer: tracers?.getTracer(NAME),
    metricsText: async () => serializer.serialize(withUnits((await reader.collect()).resourceMetrics)),
    close: async () => {
      await Promise.allSettled([tracers?.shutdown(), meters.shutdown()]);
    },
  };
}

function openTracers(url: string, resource: ReturnType<typeof resourceFromAttributes>): BasicTracerProvider {
  // A process has one context manager and one propagator. A second host uses the manager and the
  // propagator of the first.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter({ url }))];
  return new BasicTracerProvider({ resource, spanProcessors });
}
