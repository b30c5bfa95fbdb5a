import { afterEach, beforeEach, expect, it } from "vitest";
import { metricsObserver } from "./metrics-observer.js";
import { installTelemetry, removeTelemetry, type Telemetry } from "./testing/telemetry.js";

let telemetry: Telemetry;
beforeEach(() => {
  telemetry = installTelemetry();
});
afterEach(removeTelemetry);

/** Returns the values above 0. */
async function counted(): Promise<readonly string[]> {
  return (await telemetry.metrics()).filter((line) => !line.endsWith(" 0"));
}

it("counts each kind of event with labels from closed lists", async () => {
  const observer = metricsObserver();
  const refund = { type: "refund.moved", appId: "a", orderId: "o", refundNo: "r", amount: 600 } as const;
  observer.onEvent({ type: "order.moved", appId: "a", orderId: "o", from: "PENDING", to: "PAID" });
  observer.onEvent({ type: "order.alarm", appId: "a", orderId: "o", event: "LATE_PAYMENT" });
  observer.onEvent({ ...refund, to: "REQUESTED" });
  observer.onEvent({ ...refund, to: "CONFIRMED" });
  observer.onEvent({ type: "notification.refused", payChannel: "WALLET_A", reason: "unverified" });
  observer.onEvent({ type: "request.refused", surface: "payments" });
  const answered = { type: "request.answered", method: "GET", traceId: "t", durationMs: 1 } as const;
  observer.onEvent(answered);
  observer.onEvent({ ...answered, failure: "overload" });
  observer.onEvent({
    type: "wallet.called",
    payChannel: "WALLET_B",
    call: "query",
    outcome: "ok",
    durationMs: 5,
  });
  observer.onEvent({
    type: "task.ran",
    task: "reconcile",
    traceId: "t",
    durationMs: 1,
    failure: "storage.unavailable",
  });
  expect(await counted()).toEqual([
    'tillkit.alarms{event="LATE_PAYMENT"} 1',
    'tillkit.app.refusals{app="unknown",reason="overload"} 1',
    'tillkit.notifications.refused{channel="WALLET_A",reason="unverified"} 1',
    'tillkit.order.transitions{from="PENDING",to="PAID"} 1',
    "tillkit.refunded.cents{} 600",
    'tillkit.refunds{to="CONFIRMED"} 1',
    'tillkit.refunds{to="REQUESTED"} 1',
    'tillkit.request.failures{failure="overload"} 1',
    'tillkit.requests.refused{surface="payments"} 1',
    'tillkit.task.steps{task="reconcile",outcome="failed"} 1',
    'tillkit.wallet.call.duration{channel="WALLET_B",method="query",outcome="ok"} count 1',
  ]);
});

it("starts counters with labels from closed lists at 0, so that the first event is an increase", async () => {
  const observer = metricsObserver();
  const lines = await telemetry.metrics();
  expect(lines.every((line) => line.endsWith(" 0"))).toBe(true);
  for (const line of [
    'tillkit.alarms{event="LATE_PAYMENT"} 0',
    'tillkit.bills{channel="WALLET_B",outcome="not-compared"} 0',
    'tillkit.notifications.failed{channel="WALLET_A"} 0',
    'tillkit.notifications.refused{channel="WALLET_A",reason="unverified"} 0',
    'tillkit.order.transitions{from="CLOSE",to="PAID"} 0',
    'tillkit.payments{channel="WALLET_A",source="query"} 0',
    'tillkit.refunds{to="ABNORMAL"} 0',
    'tillkit.request.failures{failure="storage.misconfigured"} 0',
    'tillkit.requests.refused{surface="receipts"} 0',
  ])
    expect(lines).toContain(line);
  observer.onEvent({ type: "task.ran", task: "bills", traceId: "t", durationMs: 1 });
  expect(await telemetry.metrics()).toContain('tillkit.task.steps{task="bills",outcome="failed"} 0');
});

it("counts payments by their source, such as a query, and notifications by their outcome", async () => {
  const observer = metricsObserver();
  const payment = { payChannel: "WALLET_B", appId: "a", orderId: "o", delayMs: 900 } as const;
  observer.onEvent({ type: "payment.recorded", ...payment, source: "query" });
  observer.onEvent({ type: "notification.accepted", payChannel: "WALLET_A", kind: "refund" });
  observer.onEvent({ type: "notification.failed", payChannel: "WALLET_A", failure: "storage.unavailable" });
  expect(await counted()).toEqual([
    'tillkit.notifications.accepted{channel="WALLET_A",kind="refund"} 1',
    'tillkit.notifications.failed{channel="WALLET_A"} 1',
    'tillkit.payment.delay{channel="WALLET_B",source="query"} count 1',
    'tillkit.payments{channel="WALLET_B",source="query"} 1',
  ]);
});

it("counts attempts to deliver events, without ids", async () => {
  const observer = metricsObserver();
  const facts = { appId: "a", orderId: "o", handler: "mailer", eventId: "o-2-0" } as const;
  const event = { ...facts, eventType: "order.paid" } as const;
  observer.onEvent({ ...event, type: "event.delivered", durationMs: 1 });
  observer.onEvent({ ...event, type: "event.failed", tries: 1, reason: "threw" });
  observer.onEvent({ ...event, type: "event.parked", tries: 12, reason: "timeout" });
  expect(await counted()).toEqual([
    'tillkit.events{handler="mailer",event="order.paid",outcome="delivered"} 1',
    'tillkit.events{handler="mailer",event="order.paid",outcome="failed"} 1',
    'tillkit.events{handler="mailer",event="order.paid",outcome="parked"} 1',
  ]);
});

it("measures calls to the SMS carrier, and counts receipts, without details", async () => {
  const observer = metricsObserver();
  observer.onEvent({ type: "sms.called", appId: "app_1", outcome: "ok", durationMs: 40 });
  observer.onEvent({
    type: "sms.called",
    appId: "app_1",
    outcome: "unknown",
    durationMs: 40,
    detail: "timeout",
  });
  observer.onEvent({ type: "sms.reported", carrier: "aliyun", outcome: "delivered" });
  observer.onEvent({ type: "sms.reported", carrier: "twilio", outcome: "undelivered" });
  observer.onEvent({ type: "sms.reported", carrier: "twilio", outcome: "undelivered" });
  expect(await counted()).toEqual([
    'tillkit.sms.call.duration{outcome="ok"} count 1',
    'tillkit.sms.call.duration{outcome="unknown"} count 1',
    'tillkit.sms.receipts{carrier="aliyun",outcome="delivered"} 1',
    'tillkit.sms.receipts{carrier="twilio",outcome="undelivered"} 2',
  ]);
});

it("counts messages of alert channels, without the service's text", async () => {
  const observer = metricsObserver();
  const refused = {
    channel: "feishu",
    detail: "19021 sign",
    advice: "Copy the secret.",
    failures: 1,
  } as const;
  observer.onEvent({ type: "alert.sent", channel: "feishu", matters: 3, isRepeated: false });
  observer.onEvent({ type: "alert.sent", channel: "slack", matters: 1, isRepeated: true });
  observer.onEvent({ type: "alert.not-sent", ...refused, reason: "refused" });
  observer.onEvent({ type: "alert.not-sent", ...refused, reason: "unreachable", failures: 2 });
  expect(await counted()).toEqual([
    'tillkit.alerts{channel="feishu",outcome="refused"} 1',
    'tillkit.alerts{channel="feishu",outcome="sent"} 1',
    'tillkit.alerts{channel="feishu",outcome="unreachable"} 1',
    'tillkit.alerts{channel="slack",outcome="sent"} 1',
  ]);
});

it("counts bills by whether they were compared, not ready at the wallet, or not compared", async () => {
  const observer = metricsObserver();
  const bill = { payChannel: "WALLET_A", accountId: "1900000001", day: "2026-05-10" } as const;
  const missed = { type: "bill.not-compared", ...bill } as const;
  observer.onEvent({ type: "bill.reconciled", ...bill, open: 0, healed: 0 });
  observer.onEvent({ ...missed, failure: "wallet.rejected", reason: "not-ready" });
  observer.onEvent({ ...missed, failure: "wallet.unknown" });
  observer.onEvent({ ...missed, failure: "wallet.rejected", reason: "configuration" });
  expect(await counted()).toEqual([
    'tillkit.bills{channel="WALLET_A",outcome="compared"} 1',
    'tillkit.bills{channel="WALLET_A",outcome="not-compared"} 2',
    'tillkit.bills{channel="WALLET_A",outcome="not-ready"} 1',
  ]);
});

it("reports when a task last succeeded", async () => {
  const observer = metricsObserver();
  observer.onEvent({ type: "task.ran", task: "bills", traceId: "t", durationMs: 1 });
  const lines = await telemetry.metrics();
  expect(lines.some((line) => line.startsWith('tillkit.task.last_success.timestamp{task="bills"} 1'))).toBe(
    true,
  );
});

it("reports how far the clock is from the clock of each wallet gateway, by the last response", async () => {
  const observer = metricsObserver();
  for (const skewMs of [90_000, -83_500])
    observer.onEvent({ type: "clock.measured", payChannel: "WALLET_A", appEnv: "PROD", skewMs });
  observer.onEvent({ type: "clock.measured", payChannel: "WALLET_B", appEnv: "PROD", skewMs: 400 });
  observer.onEvent({ type: "clock.measured", payChannel: "WALLET_B", appEnv: "DEV", skewMs: 70_000 });
  observer.onEvent({ type: "clock.off", payChannel: "WALLET_A", appEnv: "PROD", skewMs: 90_000 });
  const lines = await telemetry.metrics();
  expect(lines.filter((line) => line.startsWith("tillkit.clock.skew"))).toEqual([
    'tillkit.clock.skew{channel="WALLET_A",env="PROD"} -83.5',
    'tillkit.clock.skew{channel="WALLET_B",env="DEV"} 70',
    'tillkit.clock.skew{channel="WALLET_B",env="PROD"} 0.4',
  ]);
});

it("counts refused requests by app and reason, for a bounded number of apps", async () => {
  const observer = metricsObserver();
  const answered = { type: "request.answered", method: "GET", traceId: "t", durationMs: 1 } as const;
  for (const more of [
    { appId: "app_1" },
    { appId: "app_1", failure: "order.not-found" },
    { appId: "app_1", failure: "overload" },
    { appId: "app_1", failure: "sms.quota-exceeded" },
    { appId: "app_1", failure: "credentials.invalid" },
    { appId: "app_2", failure: "credentials.invalid", isAppDisabled: true },
    { failure: "credentials.invalid" },
    { failure: "credentials.missing" },
  ] as const)
    observer.onEvent({ ...answered, ...more });
  const refusals = async () =>
    (await telemetry.metrics()).filter((line) => line.startsWith("tillkit.app.refusals"));
  expect(await refusals()).toEqual([
    'tillkit.app.refusals{app="app_1",reason="credentials.invalid"} 1',
    'tillkit.app.refusals{app="app_1",reason="overload"} 1',
    'tillkit.app.refusals{app="app_1",reason="sms.quota-exceeded"} 1',
    'tillkit.app.refusals{app="app_2",reason="app.disabled"} 1',
    'tillkit.app.refusals{app="unknown",reason="credentials.invalid"} 1',
    'tillkit.app.refusals{app="unknown",reason="credentials.missing"} 1',
  ]);
  for (let app = 3; app <= 210; app += 1)
    observer.onEvent({ ...answered, appId: `app_${app}`, failure: "overload" });
  expect(await refusals()).toContain('tillkit.app.refusals{app="other",reason="overload"} 10');
  expect(await refusals()).toContain('tillkit.app.refusals{app="app_200",reason="overload"} 1');
});
