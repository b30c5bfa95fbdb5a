import { expect, it } from "vitest";
import { countersOf, sumMetrics } from "./sum-metrics.js";

/** The metrics of a worker, as the exporter writes them. */
const metricsOf = (requests: number, pool: number, wait: number, readable: number) =>
  [
    "# HELP tillkit_requests_total Answered requests.",
    "# TYPE tillkit_requests_total counter",
    `tillkit_requests_total{route="/order.json",code="0"} ${requests}`,
    "# HELP tillkit_request_duration_seconds The duration of requests.",
    "# UNIT tillkit_request_duration_seconds s",
    "# TYPE tillkit_request_duration_seconds histogram",
    `tillkit_request_duration_seconds_count{route="a b"} ${requests}`,
    `tillkit_request_duration_seconds_sum{route="a b"} ${requests / 4}`,
    `tillkit_request_duration_seconds_bucket{route="a b",le="+Inf"} ${requests}`,
    "# TYPE tillkit_pool_connections gauge",
    `tillkit_pool_connections{state="total"} ${pool}`,
    "# TYPE tillkit_queue_oldest_wait_seconds gauge",
    `tillkit_queue_oldest_wait_seconds{queue="orders"} ${wait}`,
    "# TYPE tillkit_record_readable gauge",
    `tillkit_record_readable ${readable}`,
    "",
  ].join("\n");

it("adds counters and histograms, and joins each gauge by its rule", () => {
  expect(sumMetrics([metricsOf(3, 10, 7, 1), metricsOf(5, 4, 2, 0)])).toBe(metricsOf(8, 14, 7, 0));
});

it("keeps a series that only one worker has", () => {
  const other = '# TYPE tillkit_requests_total counter\ntillkit_requests_total{route="/detail.json"} 2\n';
  const summed = sumMetrics([metricsOf(3, 1, 0, 1), other]).split("\n");
  expect(summed).toContain('tillkit_requests_total{route="/order.json",code="0"} 3');
  expect(summed).toContain('tillkit_requests_total{route="/detail.json"} 2');
  expect(summed.filter((line) => line === "# TYPE tillkit_requests_total counter")).toHaveLength(1);
});

it("returns the counters of an ended process without its gauges", () => {
  const counters = countersOf(metricsOf(3, 10, 7, 1));
  expect(counters).toContain('tillkit_requests_total{route="/order.json",code="0"} 3');
  expect(counters).toContain('tillkit_request_duration_seconds_sum{route="a b"} 0.75');
  expect(counters).not.toContain("gauge");
  expect(sumMetrics([counters, counters])).toContain('code="0"} 6');
});
