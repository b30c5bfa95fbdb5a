import {
  aFoundException,
  anAccount,
  anAlarm,
  anEntry,
  anOrder,
  aPayment,
  aRefund,
  expectOk,
  requestApproval,
} from "@tillkit/contract-tests";
import {
  type AlertChannel,
  type AlertMessage,
  type AlertNotSent,
  type Order,
  policyWith,
  readAttention,
  type RefundStatus,
  sendAlerts,
  type ServiceEvent,
  type Stores,
} from "@tillkit/core";
import { err, ok, okAsync, ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { memoryPorts, type MemoryPorts } from "../ports/memory-ports.js";
import { testClock } from "../ports/test-clock.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.parse("2026-03-10T12:00:00+08:00");

const REFUSED = {
  name: "alert.not-sent",
  reason: "refused",
  detail: "19021",
  advice: "Correct the secret.",
} as const;
const UNKNOWN: AlertNotSent = { ...REFUSED, reason: "unknown", detail: "no answer" };

function aHost() {
  const events: ServiceEvent[] = [];
  const ports = memoryPorts({
    clock: testClock(NOON),
    policy: policyWith({ alertPauses: [HOUR, 4 * HOUR, DAY] }),
    observer: { onEvent: (event) => events.push(event) },
  });
  return { ports, events, ...aChat(ports) };
}

/** Creates a chat that first returns the scripted failures. Each `look` is a run of one process. */
function aChat(ports: MemoryPorts) {
  const messages: AlertMessage[] = [];
  const failures: (AlertNotSent | "dies")[] = [];
  const channel: AlertChannel = {
    name: "chat",
    language: "en",
    pauseMs: 3_000,
    send: (message) => {
      messages.push(message);
      const failure = failures.shift();
      if (failure === "dies") return new ResultAsync(new Promise<never>(() => undefined));
      return new ResultAsync(Promise.resolve(failure === undefined ? ok(undefined) : err(failure)));
    },
  };
  const options = { readExpiries: () => okAsync([]), dashboardUrl: "https://ops.example" };
  const look = (changes: Partial<AlertChannel> = {}) =>
    sendAlerts(ports, { ...channel, ...changes }, options);
  /** Calls `look` every `step` ms for `ms` ms, and returns the titles of the messages. */
  const during = async (ms: number, step = 10_000) => {
    const before = messages.length;
    for (let passed = 0; passed < ms; passed += step) {
      await expectOk(look());
      ports.clock.advance(step);
    }
    return messages.slice(before).map(({ title }) => title);
  };
  return { messages, failures, look, during };
}

async function aPaidOrder({ orders }: Pick<Stores, "orders">, changes: Partial<Order> = {}): Promise<Order> {
  const order = await expectOk(orders.insertOnce(anOrder(changes), anEntry()));
  await expectOk(orders.transition(order, aPayment()));
  return order;
}

async function anAlarmed(stores: Pick<Stores, "orders">, changes: Partial<Order> = {}): Promise<Order> {
  const order = await aPaidOrder(stores, changes);
  await expectOk(stores.orders.record(order, anAlarm({ type: "LATE_PAYMENT", at: NOON })));
  return order;
}

const acknowledge = ({ orders }: Pick<Stores, "orders">, order: Order) =>
  expectOk(orders.record(order, anEntry({ type: "ALARM_ACKNOWLEDGED", evidence: "9" })));

async function aRefundIn(stores: Stores, status: RefundStatus, at: number) {
  const order = await aPaidOrder(stores);
  const refund = aRefund({ appId: order.appId, bizNo: order.bizNo, gmtCreate: at, gmtModified: at });
  await expectOk(stores.refunds.request(refund, anEntry()));
  if (status === "REQUESTED") return order;
  const seen = { status: "REQUESTED", gmtModified: at } as const;
  if (status !== "SENT" && status !== "WAITING_FOR_FUNDS" && status !== "ABNORMAL") throw new Error(status);
  const entry = anEntry({ type: "REFUND_SENT", at });
  await expectOk(stores.refunds.progress(order, refund.refundNo, { seen, to: status, nextTryAt: at, entry }));
  return order;
}

describe("readAttention", () => {
  const read = async (ports: MemoryPorts) =>
    (await expectOk(readAttention(ports, []))).map(({ kind }) => kind);

  it("finds nothing in an empty shop", async () => {
    expect(await read(memoryPorts({ clock: testClock(NOON) }))).toEqual([]);
  });

  it("finds an alarm until an operator acknowledges it", async () => {
    const { ports } = aHost();
    const order = await anAlarmed(ports);
    expect(await read(ports)).toEqual(["order-alarm"]);
    await acknowledge(ports, order);
    expect(await read(ports)).toEqual([]);
  });

  it.each([
    ["ABNORMAL", 0, ["refund-abnormal"]],
    ["WAITING_FOR_FUNDS", 0, ["refund-waiting-for-funds"]],
    ["SENT", 4 * DAY, []],
    ["SENT", 5 * DAY, ["refund-overdue"]],
    ["REQUESTED", 5 * DAY, ["refund-overdue"]],
  ] as const)("finds a refund that is %s for %i ms: %j", async (status, age, kinds) => {
    const { ports } = aHost();
    await aRefundIn(ports, status, NOON - age);
    expect(await read(ports)).toEqual(kinds);
  });

  it("leaves out the alarm about a refund that it lists, and keeps other alarms", async () => {
    const { ports } = aHost();
    const order = await aRefundIn(ports, "ABNORMAL", NOON);
    const [refund] = await expectOk(ports.refunds.list(order));
    await expectOk(
      ports.orders.record(
        order,
        anAlarm({ type: "REFUND_ABNORMAL", refundNo: refund?.refundNo ?? "", evidence: "1" }),
      ),
    );
    expect(await read(ports)).toEqual(["refund-abnormal"]);
    await expectOk(ports.orders.record(order, anAlarm({ type: "MISMATCH", evidence: "2" })));
    expect(await read(ports)).toEqual(["order-alarm", "refund-abnormal"]);
  });

  it("keeps an alarm that is older than the alarm about a refund that it lists", async () => {
    const { ports } = aHost();
    const order = await aRefundIn(ports, "ABNORMAL", NOON);
    const [refund] = await expectOk(ports.refunds.list(order));
    await expectOk(ports.orders.record(order, anAlarm({ type: "SECOND_PAYMENT", evidence: "1" })));
    const ofRefund = { type: "REFUND_ABNORMAL", refundNo: refund?.refundNo ?? "", evidence: "2" } as const;
    await expectOk(ports.orders.record(order, anAlarm(ofRefund)));
    const items = await expectOk(readAttention(ports, []));
    expect(items).toMatchObject([
      { kind: "order-alarm", type: "SECOND_PAYMENT", bizNo: order.bizNo },
      { kind: "refund-abnormal" },
    ]);
  });

  it("finds approvals and bill exceptions after their limits", async () => {
    const { ports } = aHost();
    const order = await aPaidOrder(ports);
    await requestApproval(ports, {
      id: "a-1",
      appId: order.appId,
      bizNo: order.bizNo,
      refundNo: "r-1",
      amount: 100,
      reason: "returned",
      requestedBy: "li",
      requestedAt: NOON,
      state: "WAITING",
    });
    await expectOk(ports.billExceptions.report([aFoundException({ at: NOON })]));
    expect(await read(ports)).toEqual([]);
    ports.clock.advance(HOUR);
    expect(await read(ports)).toEqual(["approval-overdue"]);
    ports.clock.advance(3 * HOUR);
    expect(await read(ports)).toEqual(["approval-overdue", "bill-exception"]);
  });

  it("finds the days of a PROD account that were not compared, once the day's runs are over", async () => {
    const { ports } = aHost();
    const account = anAccount({ appEnv: "PROD", gmtCreate: NOON - 2 * DAY });
    await expectOk(ports.payTools.put(account));
    await expectOk(ports.payTools.put(anAccount({ id: "dev", appEnv: "DEV", gmtCreate: NOON - 2 * DAY })));
    const bill = {
      payChannel: account.payChannel,
      accountId: account.accountId,
      appEnv: "PROD",
    } as const;
    const days = async () =>
      (await expectOk(readAttention(ports, []))).map((item) => "days" in item && [item.firstDay, item.days]);
    expect(await days()).toEqual([["2026-03-08", 1]]);
    ports.clock.advance(2 * HOUR);
    expect(await days()).toEqual([["2026-03-08", 2]]);
    for (const day of ["2026-03-08", "2026-03-09"])
      await expectOk(ports.billExceptions.recordCompared({ ...bill, day, asOf: NOON, matched: 0 }));
    expect(await days()).toEqual([]);
  });

  it("reports no missing day of an account without credentials, unless the account took money", async () => {
    const { ports } = aHost();
    const account = anAccount({ appEnv: "PROD", signStatus: "NO", gmtCreate: NOON - 3 * DAY });
    await expectOk(ports.payTools.put(account));
    expect(await read(ports)).toEqual([]);
    const order = await expectOk(ports.orders.insertOnce(anOrder({ payToolId: account.id }), anEntry()));
    await expectOk(
      ports.orders.transition(order, { ...aPayment({ at: NOON - 2 * DAY }), pmtDt: NOON - 2 * DAY }),
    );
    expect(await read(ports)).toEqual(["bill-days-missing"]);
  });

  it("finds parked events and credentials near their end", async () => {
    const { ports } = aHost();
    await expectOk(ports.eventDeliveries.registerHandler("mailer", NOON));
    await aPaidOrder(ports);
    const claim = { id: "c", now: NOON + DAY, lease: MINUTE, limit: 1 };
    const [delivery] = await expectOk(ports.eventDeliveries.claimDue("mailer", claim));
    if (delivery === undefined) throw new Error("nothing was due");
    await expectOk(ports.eventDeliveries.fail(delivery, { parkedAt: NOON }));
    const expiry = {
      payToolId: "t",
      appId: "app_1",
      payChannel: "WALLET_A",
      name: "merchantCertificate",
    } as const;
    const items = await expectOk(
      readAttention(ports, [
        { ...expiry, expiresAt: NOON + 29 * DAY },
        { ...expiry, expiresAt: NOON + 31 * DAY },
      ]),
    );
    expect(items.map(({ kind }) => kind)).toEqual(["event-parked", "credential-expiring"]);
  });
});

describe("sendAlerts", () => {
  it("sends one message per matter, with the order's id, the amount and the link", async () => {
    const { ports, messages, look, events } = aHost();
    const order = await aRefundIn(ports, "WAITING_FOR_FUNDS", NOON - 3 * HOUR);
    await expectOk(look());
    await expectOk(look());
    expect(messages).toMatchObject([
      {
        language: "en",
        title: "[Tillkit] A refund waits for funds",
        url: `https://ops.example/search?q=${order.id}`,
        facts: [{ kind: "refund-waiting-for-funds", count: 1, orderId: order.id, appId: order.appId }],
      },
    ]);
    expect(messages[0]?.lines).toEqual([
      `Order ${order.id} of app ${order.appId}: the merchant's balance is too small for a refund of ¥1.00.`,
      "Open for 3 h.",
      "Do what the alarm of the order says: in most cases, top up the balance at the wallet. The refund then continues by itself.",
    ]);
    expect(events).toContainEqual({ type: "alert.sent", channel: "chat", matters: 1, isRepeated: false });
  });

  it("never sends texts of a caller, a customer or an operator", async () => {
    const { ports, messages, during } = aHost();
    const secret = "13800138000";
    const order = await anAlarmed(ports, {
      bizNo: `biz-${secret}`,
      customerIdentity: secret,
      goodsTitle: `title ${secret}`,
      payerId: secret,
      attachData: secret,
    });
    const refund = aRefund({ appId: order.appId, bizNo: order.bizNo, refundNo: `r-${secret}` });
    await expectOk(ports.refunds.request({ ...refund, reason: secret, operator: secret }, anEntry()));
    ports.clock.advance(6 * DAY);
    await during(HOUR);
    expect(messages.length).toBeGreaterThan(1);
    expect(JSON.stringify(messages)).not.toContain(secret);
  });

  it("repeats a message after 1 h, 4 h and then daily until the matter is resolved", async () => {
    const { ports, messages, during } = aHost();
    const order = await anAlarmed(ports);
    const counts: number[] = [];
    for (const pause of [HOUR, HOUR, 4 * HOUR, DAY, DAY])
      counts.push((await during(pause, 5 * MINUTE)).length);
    expect(counts).toEqual([1, 1, 1, 1, 1]);
    expect(messages.at(-1)?.lines).toContain("Reminder 4.");
    await acknowledge(ports, order);
    expect(await during(2 * DAY, 5 * MINUTE)).toEqual([]);
  });

  it("sends a new alarm of the same order at once", async () => {
    const { ports, during } = aHost();
    const order = await anAlarmed(ports);
    expect(await during(MINUTE)).toHaveLength(1);
    await expectOk(ports.orders.record(order, anAlarm({ type: "MISMATCH", evidence: "other" })));
    expect(await during(MINUTE)).toHaveLength(1);
  });

  it("does not send again if a matter is gone for a few minutes only", async () => {
    const { ports, look, messages } = aHost();
    await anAlarmed(ports);
    await expectOk(look());
    const alarms = ports.orderSearch.alarms.bind(ports.orderSearch);
    const gone = { ...ports, orderSearch: { ...ports.orderSearch, alarms: () => okAsync([]) } };
    ports.clock.advance(MINUTE);
    await expectOk(aChat(gone).look());
    ports.clock.advance(MINUTE);
    await expectOk(look());
    expect(messages).toHaveLength(1);
    expect(await expectOk(alarms(undefined, 1))).toHaveLength(1);
  });

  it("sends up to three matters one by one, and more matters as one message with counts and the oldest matter", async () => {
    const { ports, messages, during } = aHost();
    for (let nth = 0; nth < 3; nth += 1) await anAlarmed(ports);
    expect(await during(MINUTE)).toHaveLength(3);
    ports.clock.advance(20 * MINUTE);
    for (let nth = 0; nth < 40; nth += 1) await anAlarmed(ports);
    await aRefundIn(ports, "ABNORMAL", NOON - 50 * HOUR);
    expect(await during(MINUTE)).toEqual(["[Tillkit] 41 matters need a person"]);
    const last = messages.at(-1);
    expect(last?.lines).toEqual([
      "Order alarms: 40, the oldest for 21 min",
      "Abnormal refunds: 1, the oldest for 2 d 2 h",
    ]);
    expect(last?.url).toBe("https://ops.example/today");
  });

  it("never sends more often than the channel allows, and few messages under a steady load", async () => {
    const { ports, messages } = aHost();
    const { during } = aChat(ports);
    const chat = aChat(ports);
    const times: number[] = [];
    for (let second = 0; second < 3_600; second += 10) {
      await anAlarmed(ports);
      const before = chat.messages.length;
      await expectOk(chat.look());
      if (chat.messages.length > before) times.push(ports.clock.now());
      ports.clock.advance(10_000);
    }
    expect(times.length).toBeLessThan(20);
    expect(Math.min(...times.slice(1).map((at, index) => at - (times[index] ?? 0)))).toBeGreaterThanOrEqual(
      3_000,
    );
    expect(messages).toEqual([]);
    expect(await during(10_000)).toEqual([]);
  });

  it("sends to a channel only its kinds of matters, in its language", async () => {
    const { ports, look, messages } = aHost();
    await anAlarmed(ports);
    await expectOk(look({ name: "other", kinds: ["refund-abnormal"] }));
    expect(messages).toEqual([]);
    await expectOk(look({ name: "zh", language: "zh" }));
    expect(messages[0]).toMatchObject({ title: "[Tillkit] 订单告警", language: "zh" });
  });

  it("sends a refused message again after growing pauses, and emits an event each time", async () => {
    const { ports, failures, messages, events, during } = aHost();
    await anAlarmed(ports);
    failures.push(REFUSED, REFUSED, REFUSED, REFUSED);
    await during(30_000);
    expect(messages).toHaveLength(1);
    await during(10 * MINUTE);
    expect(messages).toHaveLength(5);
    expect(events.filter(({ type }) => type === "alert.not-sent")).toHaveLength(4);
    expect(events).toContainEqual({
      type: "alert.not-sent",
      channel: "chat",
      reason: "refused",
      failures: 4,
      detail: REFUSED.detail,
      advice: REFUSED.advice,
    });
    await during(50 * MINUTE);
    expect(messages).toHaveLength(5);
  });

  it("waits as long as a service asks", async () => {
    const { ports, failures, messages, during } = aHost();
    await anAlarmed(ports);
    failures.push({ ...REFUSED, reason: "rate-limited", retryAfterMs: 10 * MINUTE });
    await during(10 * MINUTE);
    expect(messages).toHaveLength(1);
    await during(MINUTE);
    expect(messages).toHaveLength(2);
  });

  it("repeats a message without a known result once, with the same id", async () => {
    const { ports, failures, messages, during } = aHost();
    await anAlarmed(ports);
    failures.push(UNKNOWN, UNKNOWN, UNKNOWN);
    await during(50 * MINUTE);
    expect(messages).toHaveLength(2);
    expect(messages[0]?.id).toBe(messages[1]?.id);
  });

  it("repeats a message once if the process died while it sent the message, and loses no message", async () => {
    const { ports, failures, messages, look, during } = aHost();
    await anAlarmed(ports);
    failures.push("dies", "dies");
    const lookAndDie = async () => {
      void look();
      await new Promise(setImmediate);
    };
    await lookAndDie();
    await during(60_000);
    expect(messages).toHaveLength(1);
    await lookAndDie();
    ports.clock.advance(MINUTE);
    await during(50 * MINUTE);
    expect(messages).toHaveLength(2);
    expect(messages[0]?.id).toBe(messages[1]?.id);
    await during(HOUR);
    expect(messages).toHaveLength(3);
  });

  it("sends from only one of many processes", async () => {
    const { ports, messages, look } = aHost();
    for (let nth = 0; nth < 3; nth += 1) await anAlarmed(ports);
    await Promise.all(Array.from({ length: 16 }, () => expectOk(look())));
    expect(messages).toHaveLength(1);
  });

  it("reports a channel that throws as unknown, and continues", async () => {
    const { ports, look, events } = aHost();
    await anAlarmed(ports);
    const broken = () => {
      throw new Error("https://hooks.example/secret");
    };
    await expectOk(look({ send: broken }));
    expect(events).toMatchObject([{ type: "alert.not-sent", reason: "unknown" }]);
    expect(JSON.stringify(events)).not.toContain("hooks.example");
  });

  it("starts again from an empty state if the stored state cannot be read", async () => {
    const { ports, look, messages } = aHost();
    await anAlarmed(ports);
    await expectOk(ports.alerts.claim("chat", { id: "x", now: NOON, until: NOON }));
    await expectOk(ports.alerts.save("chat", "x", "{broken", { dueAt: NOON }));
    await expectOk(look());
    expect(messages).toHaveLength(1);
  });
});
