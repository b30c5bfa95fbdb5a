import type { ServiceEvent } from "@tillkit/core";
import type { AroundStep } from "@tillkit/host";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { logSimulation } from "./log-simulation.js";
import { openLogger } from "./logger.js";
import { hostObserver } from "./observer.js";
import { currentTrace, logRequests, logSteps } from "./request-log.js";
import { openTelemetry } from "../telemetry/telemetry.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout"] }));
afterEach(() => void vi.useRealTimers());

const LOGGED = { appId: "app_1", orderId: "order-1" };
const STEP = { task: "reconcile", traceId: "trace-2" };
const EVENT = { handler: "mailer", eventId: "order-1-2-0", eventType: "order.paid" } as const;
const CAUSE = Object.assign(new Error("secret"), { code: "53300", stack: "" });
const DESCRIBED = { type: "Error", code: "53300", message: "secret" };

const written = z.looseObject({ time: z.string(), pid: z.number(), hostname: z.string() });

/** Opens a log, and returns what it contains, without times and process ids. */
function openLog() {
  const lines: unknown[] = [];
  const logger = openLogger("debug", {
    write: (line: string) => {
      const { time: _time, pid: _pid, hostname: _host, ...rest } = written.parse(JSON.parse(line));
      lines.push(rest);
    },
  });
  return { lines, logger, observer: hostObserver(logger, openTelemetry({}).meter) };
}

/** Every event, and its line. An `error` should alert a person. */
const LINES: readonly (readonly [ServiceEvent, object | undefined])[] = [
  [
    { type: "order.moved", ...LOGGED, from: "PENDING", to: "PAID" },
    { level: "info", ...LOGGED, from: "PENDING", to: "PAID", msg: "order status changed" },
  ],
  [
    { type: "order.alarm", ...LOGGED, event: "MISMATCH" },
    { level: "error", ...LOGGED, event: "MISMATCH", msg: "order alarm: read its timeline" },
  ],
  [
    { type: "refund.moved", ...LOGGED, refundNo: "r-1", to: "CONFIRMED", amount: 5 },
    { level: "info", ...LOGGED, refundNo: "r-1", to: "CONFIRMED", amount: 5, msg: "refund status changed" },
  ],
  [{ type: "event.delivered", ...LOGGED, ...EVENT, durationMs: 1 }, undefined],
  [
    { type: "event.failed", ...LOGGED, ...EVENT, tries: 1, reason: "threw" },
    {
      level: "warn",
      ...LOGGED,
      ...EVENT,
      tries: 1,
      reason: "threw",
      msg: "event handler failed: Tillkit tries again",
    },
  ],
  [
    { type: "event.parked", ...LOGGED, ...EVENT, tries: 12, reason: "timeout" },
    {
      level: "error",
      ...LOGGED,
      ...EVENT,
      tries: 12,
      reason: "timeout",
      msg: "event parked: correct the handler, then replay or skip the event",
    },
  ],
  [
    { type: "payment.recorded", ...LOGGED, payChannel: "WALLET_A", source: "query", delayMs: 9 },
    { level: "info", ...LOGGED, channel: "WALLET_A", source: "query", delayMs: 9, msg: "payment recorded" },
  ],
  [{ type: "notification.accepted", payChannel: "WALLET_A", kind: "payment" }, undefined],
  [
    { type: "notification.failed", payChannel: "WALLET_A", failure: "storage.unavailable", cause: CAUSE },
    {
      level: "error",
      channel: "WALLET_A",
      failure: "storage.unavailable",
      err: DESCRIBED,
      msg: "notification not stored: the wallet sends it again",
    },
  ],
  [
    { type: "notification.refused", payChannel: "WALLET_B", reason: "unverified" },
    { level: "warn", channel: "WALLET_B", reason: "unverified", msg: "notification refused" },
  ],
  [
    { type: "wallet.called", payChannel: "WALLET_A", ...LOGGED, call: "query", outcome: "ok", durationMs: 3 },
    {
      level: "debug",
      channel: "WALLET_A",
      method: "query",
      outcome: "ok",
      ...LOGGED,
      durationMs: 3,
      msg: "wallet called",
    },
  ],
  [
    {
      type: "wallet.called",
      payChannel: "WALLET_B",
      payToolId: "tool-1",
      ...LOGGED,
      refundNo: "r-1",
      call: "refund",
      outcome: "rejected",
      durationMs: 3,
      detail: "ACQ.SELLER_BALANCE_NOT_ENOUGH",
    },
    {
      level: "warn",
      channel: "WALLET_B",
      method: "refund",
      outcome: "rejected",
      durationMs: 3,
      ...LOGGED,
      refundNo: "r-1",
      payToolId: "tool-1",
      detail: "ACQ.SELLER_BALANCE_NOT_ENOUGH",
      msg: "wallet called",
    },
  ],
  [
    {
      type: "wallet.called",
      payChannel: "WALLET_A",
      call: "readBill",
      outcome: "rejected",
      reason: "no-bill",
      durationMs: 3,
    },
    {
      level: "info",
      channel: "WALLET_A",
      method: "readBill",
      outcome: "rejected",
      reason: "no-bill",
      durationMs: 3,
      msg: "wallet called",
    },
  ],
  [
    {
      type: "wallet.called",
      payChannel: "WALLET_B",
      call: "readBill",
      outcome: "rejected",
      reason: "not-ready",
      durationMs: 3,
    },
    {
      level: "info",
      channel: "WALLET_B",
      method: "readBill",
      outcome: "rejected",
      reason: "not-ready",
      durationMs: 3,
      msg: "wallet called",
    },
  ],
  [
    {
      type: "wallet.called",
      payChannel: "WALLET_B",
      call: "readBill",
      outcome: "rejected",
      reason: "configuration",
      durationMs: 3,
    },
    {
      level: "warn",
      channel: "WALLET_B",
      method: "readBill",
      outcome: "rejected",
      reason: "configuration",
      durationMs: 3,
      msg: "wallet called",
    },
  ],
  [
    {
      type: "bill.reconciled",
      payChannel: "WALLET_A",
      accountId: "1900000001",
      day: "2026-01-02",
      open: 0,
      healed: 1,
    },
    {
      level: "info",
      channel: "WALLET_A",
      account: "1900000001",
      day: "2026-01-02",
      open: 0,
      healed: 1,
      msg: "bill compared with the stored orders and refunds",
    },
  ],
  [
    {
      type: "bill.reconciled",
      payChannel: "WALLET_A",
      accountId: "1900000001",
      day: "2026-01-02",
      open: 2,
      healed: 0,
    },
    {
      level: "error",
      channel: "WALLET_A",
      account: "1900000001",
      day: "2026-01-02",
      open: 2,
      healed: 0,
      msg: "bill compared with the stored orders and refunds",
    },
  ],
  [
    {
      type: "bill.not-compared",
      payChannel: "WALLET_A",
      accountId: "1900000001",
      day: "2026-01-02",
      failure: "wallet.rejected",
      reason: "not-ready",
    },
    {
      level: "info",
      channel: "WALLET_A",
      account: "1900000001",
      day: "2026-01-02",
      failure: "wallet.rejected",
      reason: "not-ready",
      msg: "bill not compared: a later run repeats it",
    },
  ],
  [
    {
      type: "bill.not-compared",
      payChannel: "WALLET_A",
      accountId: "1900000001",
      day: "2026-01-02",
      failure: "wallet.unknown",
    },
    {
      level: "error",
      channel: "WALLET_A",
      account: "1900000001",
      day: "2026-01-02",
      failure: "wallet.unknown",
      msg: "bill not compared: a later run repeats it",
    },
  ],
  [
    {
      type: "credential.expiring",
      payChannel: "WALLET_A",
      appId: "app_1",
      payToolId: "tool-1",
      name: "merchantCertificate",
      expiresAt: 0,
    },
    {
      level: "error",
      channel: "WALLET_A",
      appId: "app_1",
      payToolId: "tool-1",
      credential: "merchantCertificate",
      endsAt: "1970-01-01T00:00:00.000Z",
      msg: "wallet credential ends: replace it",
    },
  ],
  [
    {
      type: "wallet.key-trusted",
      payChannel: "WALLET_A",
      accountId: "1900000001",
      serialNo: "6157F09E",
      validFrom: 0,
      expiresAt: 1_000,
    },
    {
      level: "info",
      channel: "WALLET_A",
      account: "1900000001",
      serialNo: "6157F09E",
      validFrom: "1970-01-01T00:00:00.000Z",
      endsAt: "1970-01-01T00:00:01.000Z",
      msg: "new certificate of the wallet trusted",
    },
  ],
  [{ type: "clock.measured", payChannel: "WALLET_A", appEnv: "PROD", skewMs: 83_000 }, undefined],
  [
    { type: "clock.off", payChannel: "WALLET_A", appEnv: "PROD", skewMs: 83_000 },
    {
      level: "error",
      channel: "WALLET_A",
      env: "PROD",
      skewMs: 83_000,
      msg: "clock differs from the wallet's: set it with NTP",
    },
  ],
  [
    { type: "clock.right", payChannel: "WALLET_A", appEnv: "PROD", skewMs: -400 },
    { level: "info", channel: "WALLET_A", env: "PROD", skewMs: -400, msg: "clock right again" },
  ],
  [{ type: "credentials.checked", expiries: [], unread: 0 }, undefined],
  [
    { type: "task.ran", ...STEP, durationMs: 1 },
    { level: "debug", ...STEP, durationMs: 1, msg: "background task ended" },
  ],
  [
    { type: "task.ran", ...STEP, failure: "storage.unavailable", cause: CAUSE, durationMs: 1 },
    {
      level: "error",
      ...STEP,
      failure: "storage.unavailable",
      durationMs: 1,
      err: DESCRIBED,
      msg: "background task failed",
    },
  ],
  [{ type: "request.answered", method: "GET", traceId: "t", durationMs: 1 }, undefined],
  [
    {
      type: "sms.called",
      appId: "app_1",
      outcome: "rejected",
      detail: "isv.OUT_OF_SERVICE",
      durationMs: 2,
    },
    {
      level: "warn",
      appId: "app_1",
      outcome: "rejected",
      detail: "isv.OUT_OF_SERVICE",
      durationMs: 2,
      msg: "SMS carrier called",
    },
  ],
  [
    { type: "sms.limit-near", scope: "sms-app", appId: "app_1", used: 9, limit: 10, endsAt: 5 },
    {
      level: "warn",
      scope: "sms-app",
      appId: "app_1",
      used: 9,
      limit: 10,
      endsAt: 5,
      msg: "SMS near a limit",
    },
  ],
  [{ type: "sms.reported", carrier: "twilio", outcome: "delivered" }, undefined],
  [
    { type: "alert.sent", channel: "feishu", matters: 1, isRepeated: false },
    { level: "info", channel: "feishu", matters: 1, isRepeated: false, msg: "alert sent" },
  ],
  [
    {
      type: "alert.not-sent",
      channel: "feishu",
      reason: "refused",
      detail: "19021",
      advice: "Correct the secret.",
      failures: 2,
    },
    {
      level: "error",
      channel: "feishu",
      reason: "refused",
      detail: "19021",
      advice: "Correct the secret.",
      failures: 2,
      msg: "alert not sent: Tillkit tries again",
    },
  ],
  [
    { type: "storage.misconfigured", remedy: "Grant it.", cause: CAUSE },
    {
      level: "error",
      remedy: "Grant it.",
      err: DESCRIBED,
      msg: "storage misconfigured: follow the remedy",
    },
  ],
  [
    { type: "host.not-ready", why: "storage.read-only", remedy: "Connect to the primary.", cause: CAUSE },
    {
      level: "error",
      why: "storage.read-only",
      remedy: "Connect to the primary.",
      err: DESCRIBED,
      msg: "host not ready: follow the remedy",
    },
  ],
  [{ type: "host.ready" }, { level: "info", msg: "host ready again" }],
];

it.each(LINES.map(([event, line]) => ({ type: event.type, event, line })))(
  "logs $type as one line with these members",
  ({ event, line }) => {
    const { lines, observer } = openLog();
    observer.onEvent(event);
    expect(lines).toEqual(line === undefined ? [] : [line]);
  },
);

/** Sends a request to a surface that does `work` while it answers. */
async function ask(log: ReturnType<typeof openLog>, work: () => void): Promise<void> {
  const surface = logRequests(
    {
      maxRequestBytes: 1,
      owns: () => true,
      handle: async () => {
        await Promise.resolve();
        work();
        return { status: 200, headers: {}, body: "", code: 99_998, route: "/order.json" };
      },
    },
    log.logger,
  );
  const request = { method: "POST", path: "/order.json", query: "", body: new Uint8Array() };
  await surface.handle({ ...request, headers: new Headers(), traceId: "trace-1" });
}

it("gives every line of a request its trace id", async () => {
  const log = openLog();
  const called = {
    type: "wallet.called",
    payChannel: "WALLET_A",
    call: "query",
    outcome: "unknown",
  } as const;
  await ask(log, () => {
    log.observer.onEvent({ ...called, durationMs: 1 });
  });
  expect(log.lines).toMatchObject([
    { msg: "wallet called", traceId: "trace-1" },
    { msg: "request", level: "info", route: "/order.json", status: 200, traceId: "trace-1" },
  ]);
});

it("gives every line of a background step the task and trace id of the step, not those of a request", async () => {
  const log = openLog();
  const around = logSteps(log.logger);
  const called = { type: "wallet.called", payChannel: "WALLET_A", call: "query" } as const;
  const step = async (): Promise<"failed"> => {
    await Promise.resolve();
    log.observer.onEvent({ ...called, ...LOGGED, outcome: "unknown", durationMs: 1 });
    return "failed";
  };
  // A request may wake a task, whose timer then keeps the context of the request.
  await ask(log, () => void around(STEP, step).then((result) => log.logger.warn({ result }, "after it")));
  await vi.waitFor(() => expect(log.lines).toHaveLength(4));
  expect(log.lines).toEqual([
    { level: "debug", ...STEP, msg: "background task started" },
    expect.objectContaining({ msg: "wallet called", ...STEP, orderId: "order-1" }),
    expect.objectContaining({ msg: "request", traceId: "trace-1" }),
    { level: "warn", result: "failed", traceId: "trace-1", msg: "after it" },
  ]);
});

it("gives the lines of a step the trace id of the span that surrounds it", async () => {
  const log = openLog();
  const inSpan: AroundStep = (_run, step) => step("trace-3");
  const ids: unknown[] = [];
  await logSteps(log.logger, inSpan)(STEP, async () => {
    ids.push(currentTrace());
    await Promise.resolve();
  });
  expect(ids).toEqual([{ task: "reconcile", traceId: "trace-3" }]);
  expect(log.lines).toMatchObject([{ msg: "background task started", traceId: "trace-3" }]);
});

it("logs the app of a request only if the app exists", async () => {
  const log = openLog();
  const answered = { type: "request.answered", method: "POST", traceId: "t", durationMs: 1 } as const;
  await ask(log, () => log.observer.onEvent({ ...answered, appId: "app_1" }));
  await ask(log, () => log.observer.onEvent(answered));
  expect(log.lines).toMatchObject([{ msg: "request", appId: "app_1" }, { msg: "request" }]);
  expect(log.lines[1]).not.toHaveProperty("appId");
});

it("logs a failure of the storage as an error, with its cause and the name of the failure", async () => {
  const log = openLog();
  await ask(log, () => {
    const failed = { failure: "storage.unavailable", cause: CAUSE } as const;
    log.observer.onEvent({
      type: "request.answered",
      method: "POST",
      traceId: "t",
      durationMs: 1,
      ...failed,
    });
  });
  expect(log.lines).toMatchObject([
    { level: "error", msg: "request", failure: "storage.unavailable", err: DESCRIBED },
  ]);
});

it("logs refused requests in one line a second for each surface, with their number", async () => {
  const log = openLog();
  for (const surface of ["payments", "payments", "notifications", "payments"] as const)
    await ask(log, () => {
      log.observer.onEvent({ type: "request.refused", surface });
    });
  expect(log.lines).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  const line = { level: "warn", failure: "overload", msg: "requests refused: too many at once" };
  expect(log.lines).toEqual([
    { ...line, surface: "payments", count: 3 },
    { ...line, surface: "notifications", count: 1 },
  ]);
  await ask(log, () => {
    log.observer.onEvent({ type: "request.refused", surface: "payments" });
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(log.lines.slice(2)).toMatchObject([{ ...line, surface: "payments", count: 1 }]);
});

it.each([
  { likeProduction: false, level: "info" },
  { likeProduction: true, level: "warn" },
])("says that wallets are simulated: $level", ({ likeProduction, level }) => {
  const { lines, logger } = openLog();
  const real = { WALLET_A: {}, WALLET_B: {} };
  logSimulation({ likeProduction, gateways: real }, undefined, logger);
  expect(lines).toEqual([]);
  logSimulation({ likeProduction, gateways: real }, 2, logger);
  const gateways = { ...real, WALLET_B: { DEV: "http://user:secret@127.0.0.1:4002/gateway.do" } };
  logSimulation({ likeProduction, gateways }, undefined, logger);
  const msg = "DEV pay tools call this gateway, not the wallet";
  expect(lines).toEqual([
    { level, apps: 2, msg: "the wallets are simulated: no customer pays real money" },
    { level, channel: "WALLET_B", gateway: "http://127.0.0.1:4002", msg },
  ]);
});
