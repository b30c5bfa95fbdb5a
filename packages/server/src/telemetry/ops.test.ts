import { readFileSync } from "node:fs";
import { memoryPorts } from "@tillkit/memory";
import { observeHost, observeRecord } from "@tillkit/opentelemetry";
import { expect, it } from "vitest";
import { openLogger } from "../log/logger.js";
import { observePool } from "./observe-pool.js";
import { hostObserver } from "../log/observer.js";
import { observeProcess } from "./process-metrics.js";
import { openTelemetry } from "./telemetry.js";

const OPS = new URL("../../../../ops/", import.meta.url);

/** Metrics that other processes or surfaces export, each with the test that covers it. */
const ELSEWHERE = [
  // telemetry.test.ts and workers.test.ts of the fault injection.
  "tillkit_requests_total",
  "tillkit_request_duration_seconds_bucket",
  "tillkit_worker_crashes_total",
];

/** Returns the names of all metrics that a host exports, after each of its events happened once. */
async function exportedNames(): Promise<ReadonlySet<string>> {
  const telemetry = openTelemetry({});
  const { meter } = telemetry;
  const observer = hostObserver(openLogger("error", { write: () => undefined }), meter);
  observeProcess(meter);
  observePool(meter, { totalCount: 3, idleCount: 1, waitingCount: 2 });
  observeHost({ version: "1.0.0", health: async () => ({ ready: true }) }, { meter });
  observeRecord(memoryPorts(), { meter });
  observer.onEvent({
    type: "wallet.called",
    payChannel: "WALLET_A",
    call: "query",
    outcome: "ok",
    durationMs: 5,
  });
  const refused = { failure: "credentials.invalid", traceId: "t", durationMs: 1 } as const;
  observer.onEvent({ type: "request.answered", method: "GET", ...refused });
  observer.onEvent({ type: "clock.measured", payChannel: "WALLET_A", appEnv: "PROD", skewMs: 400 });
  observer.onEvent({ type: "sms.called", appId: "a", outcome: "ok", durationMs: 40 });
  observer.onEvent({ type: "task.ran", task: "reconcile", traceId: "t", durationMs: 1 });
  const event = { handler: "mailer", eventId: "o-2-0", eventType: "order.paid" } as const;
  observer.onEvent({ type: "event.delivered", appId: "a", orderId: "o", ...event, durationMs: 1 });
  observer.onEvent({ type: "alert.sent", channel: "feishu", matters: 1, isRepeated: false });
  const text = await telemetry.metricsText();
  return new Set([...text.matchAll(/^([a-z]\w*)[{ ]/gm)].map(([, name = ""]) => name));
}

it.each(["prometheus-rules.yaml", "grafana-dashboard.json"])(
  "every metric of ops/%s is one that a host exports",
  async (file) => {
    const text = readFileSync(new URL(file, OPS), "utf8");
    const used = [...text.matchAll(/\b((?:tillkit|nodejs|process)_\w+)/g)].map(([, name = ""]) => name);
    expect(new Set(used).size).toBeGreaterThan(15);
    // Both metrics exist only after the first merchant account and the first credential.
    const later = ["tillkit_bill_days_missing", "tillkit_credential_expiry_timestamp_seconds"];
    const exported = new Set([...(await exportedNames()), ...later, ...ELSEWHERE]);
    expect([...new Set(used)].filter((name) => !exported.has(name))).toEqual([]);
  },
);
