import { context, propagation, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CBaggagePropagator } from "@opentelemetry/core";
import { orThrow, type ServiceEvent } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installTelemetry, removeTelemetry, type Telemetry } from "./testing/telemetry.js";
import { traceHeaders } from "./trace-headers.js";
import { tracePorts } from "./trace-ports.js";

let telemetry: Telemetry;
beforeEach(() => {
  telemetry = installTelemetry();
});
afterEach(removeTelemetry);

it("creates a span for the calls of a store, and keeps their results", async () => {
  const memory = memoryPorts();
  const ports = tracePorts(memory);
  expect(await orThrow(ports.apps.list())).toEqual([]);
  expect(await orThrow(ports.quotas.removeBefore("2026-01-01", 1))).toBe(0);
  expect(telemetry.spans().map(({ name }) => name)).toEqual(["apps.list", "quotas.removeBefore"]);
});

it("traces every store", () => {
  const memory = memoryPorts();
  const traced = tracePorts(memory);
  const others = ["clock", "random", "digest", "observer", "policy", "wallets", "smsSender", "compressor"];
  const untouched = Object.entries(memory)
    .filter(([name, port]) => typeof port === "object" && !others.includes(name))
    .filter(([name, port]) => Object.entries(traced).some(([of, one]) => of === name && one === port))
    .map(([name]) => name);
  expect(untouched).toEqual([]);
});

it("creates no span for calls that answer from memory", () => {
  const ports = tracePorts(memoryPorts());
  expect(ports.apps.getCached("none")).toBeUndefined();
  expect(ports.wallets.WALLET_B.answer(true).body).toBe("success");
  expect(telemetry.spans()).toEqual([]);
});

it("marks a call that throws or rejects, without the message", async () => {
  const memory = memoryPorts();
  const broken = {
    ...memory,
    apps: {
      ...memory.apps,
      list: () => {
        throw new TypeError("secret");
      },
    },
  };
  expect(() => tracePorts(broken).apps.list()).toThrow("secret");
  const [span] = telemetry.spans();
  expect(span).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { "error.type": "TypeError" },
  });
  expect(JSON.stringify([span?.events, span?.status])).not.toContain("secret");
});

it("adds changes to the active span, and passes every event on", () => {
  const events: ServiceEvent[] = [];
  const ports = tracePorts({ ...memoryPorts(), observer: { onEvent: (event) => events.push(event) } });
  const moved = { type: "order.moved", appId: "a", orderId: "o", from: "PENDING", to: "PAID" } as const;
  const called = {
    type: "wallet.called",
    payChannel: "WALLET_A",
    call: "query",
    outcome: "ok",
    durationMs: 1,
  } as const;
  trace.getTracer("test").startActiveSpan("work", (span) => {
    ports.observer.onEvent(moved);
    ports.observer.onEvent(called);
    span.end();
  });
  ports.observer.onEvent(moved);
  expect(events).toEqual([moved, called, moved]);
  expect(telemetry.spans()[0]?.events).toMatchObject([
    {
      name: "order.moved",
      attributes: { "tillkit.order_id": "o", "tillkit.from": "PENDING", "tillkit.to": "PAID" },
    },
  ]);
});

it("passes on no baggage, which may contain personal data", () => {
  const active = propagation.setBaggage(
    context.active(),
    propagation.createBaggage({ phone: { value: "13800138000" } }),
  );
  propagation.disable();
  propagation.setGlobalPropagator(new W3CBaggagePropagator());
  expect(context.with(active, traceHeaders)).toEqual({});
});

it("returns the headers of the active trace, and none without one", () => {
  expect(traceHeaders()).toEqual({});
  trace.getTracer("test").startActiveSpan("work", (span) => {
    const { traceId, spanId } = span.spanContext();
    expect(traceHeaders()).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
    span.end();
  });
});
