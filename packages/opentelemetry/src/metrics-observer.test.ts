import { memoryPorts } from "@tillkit/memory";
import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { afterEach, beforeEach, expect, it } from "vitest";
import { metricsObserver } from "./metrics-observer.js";
import { observeQueues } from "./observe-queues.js";
import { installTelemetry, removeTelemetry, type Telemetry } from "./testing/telemetry.js";

let telemetry: Telemetry;
beforeEach(() => {
  telemetry = installTelemetry();
});
afterEach(removeTelemetry);

it("counts each kind of event with labels from closed lists", async () => {
  const observer = metricsObserver();
  const refund = { type: "refund.moved", appId: "a", orderId: "o", refundNo: "r", amount: 600 } as const;
  observer.onEvent({ type: "order.moved", appId: "a", orderId: "o", from: "PENDING", to: "PAID" });
  observer.onEvent({ type: "order.alarm", appId: "a", orderId: "o", event: "LATE_PAYMENT" });
  observer.onEvent({ ...refund, to: "REQUESTED" });
  observer.onEvent({ ...refund, to: "CONFIRMED" });
  observer.onEvent({ type: "notification.refused", payChannel: "WALLET_A", reason: "unverified" });
  observer.onEvent({ type: "request.refused", surface: "payments" });
  observer.onEvent({
    type: "wallet.called",
    payChannel: "WALLET_B",
    call: "query",
    outcome: "ok",
    durationMs: 5,
  });
  observer.onEvent({ type: "task.ran", task: "reconcile", durationMs: 1, failure: "storage.unavailable" });
  expect(await telemetry.metrics()).toEqual([
    'tillkit.alarms{event="LATE_PAYMENT"} 1',
    'tillkit.notifications.refused{channel="WALLET_A",reason="unverified"} 1',
    'tillkit.order.transitions{from="PENDING",to="PAID"} 1',
    "tillkit.refunded.cents{} 600",
    'tillkit.refunds{to="CONFIRMED"} 1',
    'tillkit.refunds{to="REQUESTED"} 1',
    'tillkit.requests.refused{surface="payments"} 1',
    'tillkit.task.steps{task="reconcile",outcome="failed"} 1',
    'tillkit.wallet.call.duration{channel="WALLET_B",method="query",outcome="ok"} count 1',
  ]);
});

it("counts attempts to deliver events, without ids", async () => {
  const observer = metricsObserver();
  const facts = { appId: "a", orderId: "o", handler: "mailer", eventId: "o-2-0" } as const;
  const event = { ...facts, eventType: "order.paid" } as const;
  observer.onEvent({ ...event, type: "event.delivered", durationMs: 1 });
  observer.onEvent({ ...event, type: "event.failed", tries: 1, reason: "threw" });
  observer.onEvent({ ...event, type: "event.parked", tries: 12, reason: "timeout" });
  expect(await telemetry.metrics()).toEqual([
    'tillkit.events{handler="mailer",event="order.paid",outcome="delivered"} 1',
    'tillkit.events{handler="mailer",event="order.paid",outcome="failed"} 1',
    'tillkit.events{handler="mailer",event="order.paid",outcome="parked"} 1',
  ]);
});

it("measures calls to the SMS carrier, and counts receipts, without details", async () => {
  const observer = metricsObserver();
  observer.onEvent({ type: "sms.called", outcome: "ok", durationMs: 40 });
  observer.onEvent({ type: "sms.called", outcome: "unknown", durationMs: 40, detail: "timeout" });
  observer.onEvent({ type: "sms.reported", carrier: "aliyun", outcome: "delivered" });
  observer.onEvent({ type: "sms.reported", carrier: "twilio", outcome: "undelivered" });
  observer.onEvent({ type: "sms.reported", carrier: "twilio", outcome: "undelivered" });
  expect(await telemetry.metrics()).toEqual([
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
  expect(await telemetry.metrics()).toEqual([
    'tillkit.alerts{channel="feishu",outcome="refused"} 1',
    'tillkit.alerts{channel="feishu",outcome="sent"} 1',
    'tillkit.alerts{channel="feishu",outcome="unreachable"} 1',
    'tillkit.alerts{channel="slack",outcome="sent"} 1',
  ]);
});

it("counts bills by whether they were compared, not ready at the wallet, or not compared", async () => {
  const observer = metricsObserver();
  const bill = { payChannel: "WALLET_A", day: "2026-05-10" } as const;
  const missed = { type: "bill.not-compared", ...bill } as const;
  observer.onEvent({ type: "bill.reconciled", ...bill, open: 0, healed: 0 });
  observer.onEvent({ ...missed, failure: "wallet.rejected", reason: "not-ready" });
  observer.onEvent({ ...missed, failure: "wallet.unknown" });
  observer.onEvent({ ...missed, failure: "wallet.rejected", reason: "configuration" });
  expect(await telemetry.metrics()).toEqual([
    'tillkit.bills{channel="WALLET_A",outcome="compared"} 1',
    'tillkit.bills{channel="WALLET_A",outcome="not-compared"} 2',
    'tillkit.bills{channel="WALLET_A",outcome="not-ready"} 1',
  ]);
});

it("reports no expiry of a credential that no pay tool has any more", async () => {
  const observer = metricsObserver();
  const one = { payToolId: "p", appId: "a", payChannel: "WALLET_A", name: "x", expiresAt: 1_000 } as const;
  observer.onEvent({ type: "credentials.checked", expiries: [one], unread: 0 });
  expect(await telemetry.metrics()).toEqual([
    'tillkit.credential.expiry.timestamp{channel="WALLET_A",credential="x"} 1',
  ]);
  observer.onEvent({ type: "credentials.checked", expiries: [], unread: 0 });
  expect(await telemetry.metrics()).toEqual([
    'tillkit.credential.expiry.timestamp{channel="WALLET_A",credential="x"} NaN',
  ]);
});

it("reports when the first credential of each kind expires, and when a task last succeeded", async () => {
  const observer = metricsObserver();
  const expiry = (payChannel: "WALLET_A" | "WALLET_B", expiresAt: number) => ({
    ...{ payToolId: "p", appId: "a", payChannel, name: "merchantCertificate", expiresAt },
  });
  const expiries = [expiry("WALLET_A", 20_000), expiry("WALLET_A", 30_000), expiry("WALLET_B", 40_000)];
  observer.onEvent({ type: "credentials.checked", expiries: [expiry("WALLET_A", 1_000)], unread: 0 });
  observer.onEvent({ type: "credentials.checked", expiries, unread: 0 });
  observer.onEvent({ type: "task.ran", task: "bills", durationMs: 1 });
  const lines = await telemetry.metrics();
  expect(lines.filter((line) => line.startsWith("tillkit.credential."))).toEqual([
    'tillkit.credential.expiry.timestamp{channel="WALLET_A",credential="merchantCertificate"} 20',
    'tillkit.credential.expiry.timestamp{channel="WALLET_B",credential="merchantCertificate"} 40',
  ]);
  expect(lines.some((line) => line.startsWith('tillkit.task.last_success.timestamp{task="bills"} 1'))).toBe(
    true,
  );
});

it("reports the queues with one query of each kind, and no number if the storage fails or is late", async () => {
  const ports = memoryPorts();
  const now = ports.clock.now();
  let queries = 0;
  let answer: typeof ports.orders.dueSince = () => okAsync({ due: 3, oldestDueAt: now - 65_000 });
  const dueSince: typeof answer = (...query) => {
    queries += 1;
    return answer(...query);
  };
  observeQueues({ ...ports, orders: { ...ports.orders, dueSince } }, { timeoutMs: 20 });
  expect(await telemetry.metrics()).toEqual([
    "tillkit.bill.exceptions.open{} 0",
    "tillkit.events.parked{} 0",
    'tillkit.queue.due{queue="events"} 0',
    'tillkit.queue.due{queue="orders"} 3',
    'tillkit.queue.due{queue="refunds"} 0',
    'tillkit.queue.oldest_wait{queue="events"} 0',
    'tillkit.queue.oldest_wait{queue="orders"} 65',
    'tillkit.queue.oldest_wait{queue="refunds"} 0',
    "tillkit.queue.readable{} 1",
  ]);
  expect(queries).toBe(1);
  const unread = [
    "tillkit.bill.exceptions.open{} NaN",
    "tillkit.events.parked{} NaN",
    'tillkit.queue.due{queue="events"} NaN',
    'tillkit.queue.due{queue="orders"} NaN',
    'tillkit.queue.due{queue="refunds"} NaN',
    'tillkit.queue.oldest_wait{queue="events"} NaN',
    'tillkit.queue.oldest_wait{queue="orders"} NaN',
    'tillkit.queue.oldest_wait{queue="refunds"} NaN',
    "tillkit.queue.readable{} 0",
  ];
  answer = () => errAsync({ name: "storage.unavailable" });
  expect(await telemetry.metrics()).toEqual(unread);
  answer = () => new ResultAsync(new Promise<never>(() => undefined));
  expect(await telemetry.metrics()).toEqual(unread);
});
