import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { eventFixture, timelineOf } from "../testing/event-fixture.js";
import { anOrder } from "../testing/stubs.js";
import { deliverDueEvents } from "./deliver-due-events.js";
import { eventHandler, type EventHandlerOptions } from "./event-handler.js";
import { orThrow } from "../errors/or-throw.js";

const service = { serviceTypeNo: "month", serviceName: "A month", durationMs: 1 };
const order = anOrder({ paymentStatus: "PAID", service });
const SECOND = 1_000;

/** Delivers to a handler that records the ids of its events. */
function deliveries(fixture: ReturnType<typeof eventFixture>, options: Partial<EventHandlerOptions> = {}) {
  const received: string[] = [];
  const handle: EventHandlerOptions["handle"] = async (event) => received.push(event.id);
  const handler = eventHandler({ name: "mailer", handle, ...options });
  const deliver = () => deliverDueEvents(fixture.ports, handler, { startTimer: fixture.startTimer });
  return { received, deliver };
}

describe("deliverDueEvents", () => {
  it("delivers the events in order, and advances after each", async () => {
    const fixture = eventFixture({ order, timeline: timelineOf({ type: "PAID" }, { type: "REFUNDED" }) });
    const { received, deliver } = deliveries(fixture);
    expect(await orThrow(deliver())).toEqual({ orders: 1, delivered: 4, failed: 0 });
    expect(received).toEqual(["order-1-2-0", "order-1-2-1", "order-1-3-0", "order-1-3-1"]);
    expect(fixture.advanced).toEqual([
      { seq: 2, index: 0 },
      { seq: 2, index: 1 },
      { seq: 3, index: 0 },
      { seq: 3, index: 1 },
      { seq: 4, index: 0 },
    ]);
    expect(fixture.timers).toEqual([]);
    expect(fixture.events[0]).toEqual({
      type: "event.delivered",
      appId: "app_1",
      orderId: "order-1",
      handler: "mailer",
      eventId: "order-1-2-0",
      eventType: "order.paid",
      durationMs: 0,
    });
  });

  it("passes over events of other types without a call", async () => {
    const fixture = eventFixture({ order, timeline: timelineOf({ type: "PAID" }, { type: "CLOSED" }) });
    const { received, deliver } = deliveries(fixture, { types: ["service.changed"] });
    await deliver();
    expect(received).toEqual(["order-1-2-1"]);
    expect(fixture.advanced).toEqual([
      { seq: 2, index: 1 },
      { seq: 3, index: 0 },
      { seq: 4, index: 0 },
    ]);
  });

  it("also delivers events that are appended meanwhile", async () => {
    const fixture = eventFixture();
    const ids: string[] = [];
    const { deliver } = deliveries(fixture, {
      handle: async ({ id }) => {
        ids.push(id);
        fixture.state.timeline = timelineOf({ type: "PAID" }, { type: "REFUNDED" });
      },
    });
    expect(await orThrow(deliver())).toMatchObject({ delivered: 2, failed: 0 });
    expect(ids).toEqual(["order-1-2-0", "order-1-3-0"]);
  });

  it("completes the delivery of an order without events", async () => {
    const fixture = eventFixture({ timeline: timelineOf({ type: "CONNECTED" }) });
    const { deliver } = deliveries(fixture);
    expect(await orThrow(deliver())).toEqual({ orders: 1, delivered: 0, failed: 0 });
    expect(fixture.advanced).toEqual([{ seq: 3, index: 0 }]);
  });

  it.each([
    [0, 5 * SECOND],
    [1, 30 * SECOND],
    [8, 8 * 3_600 * SECOND],
    [10, 8 * 3_600 * SECOND],
  ])("after %d earlier failures, tries again after a pause of %d ms", async (tries, pause) => {
    const timeline = timelineOf({ type: "PAID" }, { type: "REFUNDED" });
    const fixture = eventFixture({ timeline, delivery: { tries, next: { seq: 2, index: 0 } } });
    const { deliver } = deliveries(fixture, { handle: () => Promise.reject(new Error("phone 13800138000")) });
    expect(await orThrow(deliver())).toEqual({ orders: 1, delivered: 0, failed: 1 });
    expect(fixture.failures).toEqual([{ nextTryAt: 1_000 + pause, failure: "Error: phone …" }]);
    expect(fixture.advanced).toEqual([]);
    expect(fixture.events).toMatchObject([
      {
        type: "event.failed",
        appId: "app_1",
        orderId: "order-1",
        handler: "mailer",
        error: "Error",
        eventId: "order-1-2-0",
        eventType: "order.paid",
        tries: tries + 1,
        reason: "threw",
      },
    ]);
    expect(JSON.stringify(fixture.events)).toMatch(/"at":\["at [^"]*deliver-due-events/);
    expect(JSON.stringify(fixture.events)).not.toContain("13800138000");
  });

  it.each([
    ["its own", Object.assign(new Error("no"), { code: "ECONNREFUSED" }), "ECONNREFUSED"],
    [
      "that of its cause",
      new Error("no", { cause: Object.assign(new Error("no"), { code: "42501" }) }),
      "42501",
    ],
    ["none that contains a text", Object.assign(new Error("no"), { code: "phone 13800138000" }), undefined],
    [
      "none that can be a number of a customer",
      Object.assign(new Error("no"), { code: "13800138000" }),
      undefined,
    ],
  ])("reports the code of an error: %s", async (_case, error, code) => {
    const fixture = eventFixture({ delivery: { next: { seq: 2, index: 0 } } });
    const { deliver } = deliveries(fixture, { handle: () => Promise.reject(error) });
    await orThrow(deliver());
    const [failed] = fixture.events;
    expect(failed).toMatchObject({ type: "event.failed", error: "Error" });
    expect(failed !== undefined && "code" in failed ? failed.code : undefined).toBe(code);
  });

  it("parks the delivery after the last attempt, and reports it", async () => {
    const fixture = eventFixture({ delivery: { tries: 11, next: { seq: 2, index: 0 } } });
    const { deliver } = deliveries(fixture, {
      handle: () => {
        throw new Error("at once");
      },
    });
    await deliver();
    expect(fixture.failures).toEqual([{ parkedAt: 1_000, failure: "Error: at once" }]);
    expect(fixture.events).toMatchObject([{ type: "event.parked", tries: 12, eventId: "order-1-2-0" }]);
  });

  it("aborts a handler at its deadline, before the claim ends, and tries again", async () => {
    const fixture = eventFixture({ delivery: { next: { seq: 2, index: 0 } } });
    const signals: AbortSignal[] = [];
    let end: () => void = () => undefined;
    const { deliver } = deliveries(fixture, {
      handle: (_event, { signal }) => {
        signals.push(signal);
        return new Promise<void>((resolve) => (end = resolve));
      },
    });
    const round = deliver();
    await expect.poll(() => fixture.timers.length).toBe(1);
    expect(fixture.timers[0]?.ms).toBe(10 * SECOND);
    expect(fixture.state.delivery).toMatchObject({ until: 1_000 + 40 * SECOND });
    expect(signals[0]?.aborted).toBe(false);
    fixture.timers[0]?.run();
    expect(await orThrow(round)).toMatchObject({ delivered: 0, failed: 1 });
    expect(signals[0]?.aborted).toBe(true);
    expect(fixture.events).toMatchObject([{ type: "event.failed", reason: "timeout" }]);
    expect(fixture.failures).toMatchObject([{ failure: "timeout" }]);
    // A handler that ends later does not advance the delivery.
    end();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(fixture.advanced).toEqual([]);
  });

  it("stops if another worker has taken over", async () => {
    const timeline = timelineOf({ type: "PAID" }, { type: "REFUNDED" });
    const fixture = eventFixture({ timeline, delivery: { next: { seq: 2, index: 0 } } });
    const ids: string[] = [];
    const { deliver } = deliveries(fixture, {
      handle: async ({ id }) => {
        ids.push(id);
        fixture.state.lost = true;
      },
    });
    expect(await orThrow(deliver())).toEqual({ orders: 1, delivered: 0, failed: 1 });
    expect(ids).toEqual(["order-1-2-0"]);
    expect(fixture.events).toEqual([]);
  });

  it("does not report a failure of a handler that has lost its claim", async () => {
    const fixture = eventFixture({ delivery: { next: { seq: 2, index: 0 } } });
    const { deliver } = deliveries(fixture, {
      handle: () => {
        fixture.state.lost = true;
        return Promise.reject(new Error("late"));
      },
    });
    await deliver();
    expect([fixture.failures, fixture.events]).toEqual([[], []]);
  });

  it("starts no attempt that could last longer than its claim", async () => {
    const timeline = timelineOf({ type: "PAID" });
    const fixture = eventFixture({ timeline, delivery: { next: { seq: 2, index: 0 } } });
    const { received, deliver } = deliveries(fixture);
    const paused = deliver();
    // The process was paused after its claim.
    fixture.state.now += 30 * SECOND;
    expect(await orThrow(paused)).toMatchObject({ delivered: 0, failed: 1 });
    expect(received).toEqual([]);
  });

  it("counts no attempt if the storage fails, and reports a failure to claim", async () => {
    const fixture = eventFixture({ delivery: { next: { seq: 2, index: 0 } } });
    const broken = { name: "storage.unavailable" } as const;
    const { ports } = fixture;
    const failing = { ...ports.eventDeliveries, advance: () => errAsync(broken) };
    const { received, deliver } = deliveries({ ...fixture, ports: { ...ports, eventDeliveries: failing } });
    expect(await orThrow(deliver())).toEqual({
      orders: 1,
      delivered: 0,
      failed: 1,
      failure: broken,
    });
    expect(received).toEqual(["order-1-2-0"]);
    expect(fixture.failures).toEqual([]);

    const unclaimed = { ...ports.eventDeliveries, claimDue: () => errAsync(broken) };
    const closed = deliveries({ ...fixture, ports: { ...ports, eventDeliveries: unclaimed } });
    expect((await closed.deliver())._unsafeUnwrapErr()).toEqual(broken);
  });

  it("ends the delivery of an order that does not exist", async () => {
    const fixture = eventFixture();
    const orders = { ...fixture.ports.orders, find: () => okAsync(undefined) };
    const { received, deliver } = deliveries({ ...fixture, ports: { ...fixture.ports, orders } });
    expect(await orThrow(deliver())).toEqual({ orders: 1, delivered: 0, failed: 0 });
    expect(received).toEqual([]);
  });
});

describe("eventHandler", () => {
  it.each(["", "a b", ".mailer", "é", "x".repeat(65)])("rejects the name %j", (name) => {
    expect(() => eventHandler({ name, handle: async () => undefined })).toThrow(TypeError);
  });

  it.each(["mailer", "0", "crm.v2_eu-1", "x".repeat(64)])("accepts the name %j", (name) => {
    expect(eventHandler({ name, handle: async () => undefined }).name).toBe(name);
  });
});
