import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

/** The spans and metrics that a test has recorded. */
export interface Telemetry {
  spans(): readonly ReadableSpan[];
  /** Collects, and returns each value as `name{attribute="value"} value`, sorted. */
  metrics(): Promise<readonly string[]>;
}

/** Installs an OpenTelemetry SDK that records in memory. {@link removeTelemetry} removes it. */
export function installTelemetry(): Telemetry {
  const exporter = new InMemorySpanExporter();
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 2 ** 31 - 1,
    exportTimeoutMillis: 60_000,
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  return {
    spans: () => exporter.getFinishedSpans(),
    metrics: async () => {
      metricExporter.reset();
      await reader.forceFlush();
      return metricExporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap((scope) => scope.metrics)
        .flatMap(({ descriptor, dataPoints }) =>
          dataPoints.map(({ attributes, value }) => {
            const labels = Object.entries(attributes).map(([name, text]) => `${name}="${String(text)}"`);
            const shown = typeof value === "number" ? value : `count ${value.count}`;
            return `${descriptor.name}{${labels.join(",")}} ${shown}`;
          }),
        )
        .sort();
    },
  };
}

/** Removes the SDK of {@link installTelemetry}. */
export function removeTelemetry(): void {
  for (const api of [context, propagation, trace, metrics]) api.disable();
}
