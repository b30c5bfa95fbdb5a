import type { ResourceMetrics } from "@opentelemetry/sdk-metrics";

/** The suffixes of metric names in Prometheus, by unit. */
const ENDS: Readonly<Record<string, string>> = { s: "_seconds", By: "_bytes" };

/** Appends the unit to the name of each metric, as Prometheus expects. The serializer does not. */
export function withUnits(collected: ResourceMetrics): ResourceMetrics {
  return {
    ...collected,
    scopeMetrics: collected.scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics.map((metric) => {
        const { name, unit } = metric.descriptor;
        return { ...metric, descriptor: { ...metric.descriptor, name: `${name}${ENDS[unit] ?? ""}` } };
      }),
    })),
  };
}
