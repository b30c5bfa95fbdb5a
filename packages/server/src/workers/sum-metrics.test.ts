import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { countersOf, GAUGES, sumMetrics } from "./sum-metrics.js";

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

it("takes the largest difference of the clocks, before or after the wallet's", () => {
  const skewOf = (seconds: number) =>
    `# TYPE tillkit_clock_skew_seconds gauge\ntillkit_clock_skew_seconds ${seconds}\n`;
  expect(sumMetrics([skewOf(25), skewOf(-40), skewOf(30)])).toBe(skewOf(-40));
});

it.each([
  ["max", "tillkit_alarms_open"],
  ["min", "tillkit_credential_expiry_timestamp_seconds"],
  ["farthest", "tillkit_clock_skew_seconds"],
  ["sum", "tillkit_pool_connections"],
])("takes the value of the other workers if a worker has none (%s)", (_rule, name) => {
  const textOf = (value: number) => `# TYPE ${name} gauge\n${name} ${value}\n`;
  expect(sumMetrics([textOf(NaN), textOf(3)])).toBe(textOf(3));
  expect(sumMetrics([textOf(3), textOf(NaN)])).toBe(textOf(3));
  expect(sumMetrics([textOf(NaN), textOf(NaN)])).toBe(textOf(NaN));
});

it("has a rule for every gauge of Tillkit", async () => {
  const folders = ["../../../opentelemetry/src", "../telemetry"].map(
    (path) => new URL(`${path}/`, import.meta.url),
  );
  const gauges: string[] = [];
  for (const folder of folders)
    for (const file of await readdir(folder)) {
      const source = file.endsWith(".ts") ? await readFile(new URL(file, folder), "utf8") : "";
      for (const [, name = "", options = ""] of source.matchAll(
        /createObservableGauge\("([^"]+)", \{(.*?)\}\)/gsu,
      ))
        gauges.push(`${name.replaceAll(".", "_")}${suffixOf(options)}`);
    }
  expect(gauges).toContain("tillkit_clock_skew_seconds");
  expect(gauges.filter((name) => !Object.hasOwn(GAUGES, name))).toEqual([]);
});

/** Returns what the exporter appends to the name of a gauge with these options. */
function suffixOf(options: string): string {
  if (options.includes('unit: "s"')) return "_seconds";
  return options.includes('unit: "By"') ? "_bytes" : "";
}

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
