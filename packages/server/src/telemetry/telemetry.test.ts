import { text } from "node:stream/consumers";
import { expectOk } from "@tillkit/contract-tests";
import { createApp } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { observeRecord } from "@tillkit/opentelemetry";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "../http/http-server.js";
import { openLogger } from "../log/logger.js";
import { observePool } from "./observe-pool.js";
import { observeProcess } from "./process-metrics.js";
import { openTelemetry } from "./telemetry.js";
import { listenApi } from "../testing/listen-api.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const LIMITS = { trustProxy: 0, concurrency: { maxConcurrent: 1, maxQueued: 0 } } as const;

it("exports the metrics with names and units of Prometheus, separately for each host", async () => {
  const telemetry = openTelemetry({});
  const { meter } = telemetry;
  const ports = memoryPorts();
  observeProcess(meter);
  observePool(meter, { totalCount: 3, idleCount: 1, waitingCount: 2 });
  observeRecord(ports, { meter });
  const server = await listenApi(ports, LIMITS, openLogger("error", { write: () => undefined }), telemetry);
  onTestFinished(() => server.close());
  await fetch(`http://127.0.0.1:${server.port}/misc/v2/downloads-api`);
  const lines = (await telemetry.metricsText()).split("\n");
  for (const line of [
    'tillkit_requests_total{method="GET",route="/misc/v2/downloads-api",code="none",status="400"} 1',
    'tillkit_request_duration_seconds_count{method="GET",route="/misc/v2/downloads-api"} 1',
    'tillkit_pool_connections{state="waiting"} 2',
    'tillkit_queue_due{queue="orders"} 0',
    'tillkit_queue_oldest_wait_seconds{queue="orders"} 0',
    'tillkit_bill_exceptions_open{kind="BALANCE"} 0',
    'tillkit_alarms_open{event="LATE_PAYMENT"} 0',
    "tillkit_record_readable 1",
  ])
    expect(lines).toContain(line);
  const names = lines
    .filter((line) => line.startsWith("# TYPE"))
    .map((line) => line.split(" ").slice(2).join(" "));
  expect(names).toEqual(
    expect.arrayContaining([
      "nodejs_eventloop_delay_p99_seconds gauge",
      "process_memory_usage_bytes gauge",
      "process_cpu_time_seconds_total counter",
    ]),
  );
  expect(lines.filter((line) => /otel_scope|target_info/.test(line))).toEqual([]);
  expect(await openTelemetry({}).metricsText()).not.toContain("tillkit_");
});

it("sends the spans of a request to the collector, in the trace of its caller", async () => {
  const received: string[] = [];
  const collector = await listen(
    (request, response) => {
      void text(request).then((body) => {
        received.push(`${request.url ?? ""} ${body}`);
        response.end("{}");
      });
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(() => collector.close());
  const telemetry = openTelemetry({ tracesUrl: `http://127.0.0.1:${collector.port}/v1/traces` });
  const ports = memoryPorts();
  const lines: string[] = [];
  const logger = openLogger("info", { write: (line) => void lines.push(line) });
  const server = await listenApi(ports, LIMITS, logger, telemetry);
  onTestFinished(() => server.close());
  const { app, appSecret } = await expectOk(createApp(ports, { name: "Notes" }));
  const reply = await fetch(`http://127.0.0.1:${server.port}/pay/payTools.json`, {
    headers: {
      APP_ID: app.appId,
      APP_SECRET: appSecret,
      traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
    },
  });
  expect(reply.headers.get("x-trace-id")).toBe(TRACE);
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { route: "/payTools.json", code: 0, status: 200, traceId: TRACE, msg: "request" },
  ]);
  await telemetry.close();
  const spans = received.join("\n");
  expect(spans).toContain("/v1/traces");
  for (const part of ["GET /payTools.json", "pay-tools.list", TRACE]) expect(spans).toContain(part);
  for (const secret of [app.appId, appSecret]) expect(spans).not.toContain(secret);
});
