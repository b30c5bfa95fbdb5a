import { SpanStatusCode, trace } from "@opentelemetry/api";
import { memoryPorts } from "@tillkit/memory";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installTelemetry, removeTelemetry, type Telemetry } from "./testing/telemetry.js";
import { tracePorts } from "./trace-ports.js";
import { traceSteps } from "./trace-steps.js";

let telemetry: Telemetry;
beforeEach(() => {
  telemetry = installTelemetry();
});
afterEach(removeTelemetry);

const RUN = { task: "reconcile" };

it("starts a trace for each step, with the calls of the step as its children", async () => {
  const ports = tracePorts(memoryPorts());
  const ids: (string | undefined)[] = [];
  const step = async (traceId?: string): Promise<void> => {
    ids.push(traceId);
    await ports.apps.list();
    const ran = { type: "task.ran", ...RUN, traceId: "t", durationMs: 1 } as const;
    ports.observer.onEvent({ ...ran, failure: "storage.unavailable" });
  };
  // A request may have woken the task.
  await trace.getTracer("test").startActiveSpan("request", async (request) => {
    await traceSteps()(RUN, step);
    request.end();
  });
  const [call, task, request] = telemetry.spans();
  expect([call?.name, task?.name, request?.name]).toEqual(["apps.list", "task reconcile", "request"]);
  expect(task).toMatchObject({
    attributes: { "tillkit.task": "reconcile", "tillkit.failure": "storage.unavailable" },
    status: { code: SpanStatusCode.ERROR },
    parentSpanContext: undefined,
  });
  expect(call?.parentSpanContext?.spanId).toBe(task?.spanContext().spanId);
  expect(ids).toEqual([task?.spanContext().traceId]);
  expect(ids).not.toContain(request?.spanContext().traceId);
});

it("does not mark the span of a step that succeeds", async () => {
  const ports = tracePorts(memoryPorts());
  await traceSteps()(RUN, async () =>
    ports.observer.onEvent({ type: "task.ran", ...RUN, traceId: "t", durationMs: 1 }),
  );
  expect(telemetry.spans()[0]?.status.code).toBe(SpanStatusCode.UNSET);
});

it("ends the span of a step that rejects, and passes the rejection on", async () => {
  const thrown = new Error("broken");
  await expect(traceSteps()(RUN, () => Promise.reject(thrown))).rejects.toBe(thrown);
  expect(telemetry.spans()[0]?.status.code).toBe(SpanStatusCode.ERROR);
});

it("keeps the step's own id if nothing records spans", async () => {
  removeTelemetry();
  expect(await traceSteps()(RUN, (traceId) => Promise.resolve(traceId))).toBeUndefined();
});
