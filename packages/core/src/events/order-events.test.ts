import { describe, expect, it } from "vitest";
import { type TimelineChange, timelineOf } from "../testing/event-fixture.js";
import { aRefund, anOrder } from "../testing/stubs.js";
import { orderEvent, placedEvents } from "./order-events.js";

const service = { serviceTypeNo: "month", serviceName: "A month", durationMs: 1 };
const order = anOrder({ paymentStatus: "PAID", pmtDt: 77, service, refundedAmount: 200 });
const start = { seq: 1, index: 0 };
const bought = {
  appId: "app_1",
  customerIdentity: "c-1",
  serviceTypeNo: "month",
  serviceNo: "svc_1",
  serviceName: "A month",
  expireTime: 9_000,
  gmtCreate: 0,
};

describe("placedEvents", () => {
  const timeline = timelineOf({ type: "PAID", alarm: true }, { type: "CONNECTED" }, { type: "REFUNDED" });

  it("returns the events of the timeline in order, each with the position of the next", () => {
    const places = placedEvents(order, timeline, start).map(({ type, position, next }) => [
      type,
      position.seq,
      position.index,
      next.seq,
      next.index,
    ]);
    expect(places).toEqual([
      ["order.paid", 2, 0, 2, 1],
      ["service.changed", 2, 1, 2, 2],
      ["order.alarm", 2, 2, 3, 0],
      ["order.refunded", 4, 0, 4, 1],
      ["service.changed", 4, 1, 5, 0],
    ]);
  });

  it("begins at a position, also within the events of one cause", () => {
    const types = placedEvents(order, timeline, { seq: 2, index: 2 }).map(({ type }) => type);
    expect(types).toEqual(["order.alarm", "order.refunded", "service.changed"]);
    expect(placedEvents(order, timeline, { seq: 5, index: 0 })).toEqual([]);
  });
});

describe("orderEvent", () => {
  const sources = { order, refunds: [aRefund()], services: [bought] };
  const eventsOf = (...entries: readonly TimelineChange[]) =>
    placedEvents(order, timelineOf(...entries), start).map((placed) => orderEvent(placed, sources));
  const base = {
    appId: "app_1",
    bizNo: "b-1",
    orderId: "order-1",
    customerIdentity: "c-1",
    payChannel: "WALLET_A",
    amount: 600,
    at: 200,
  };

  it("has the facts of a payment and the service that it changed", () => {
    expect(eventsOf({ type: "PAID" })).toEqual([
      { ...base, id: "order-1-2-0", type: "order.paid", pmtDt: 77 },
      {
        ...base,
        id: "order-1-2-1",
        type: "service.changed",
        serviceTypeNo: "month",
        serviceNo: "svc_1",
        expireTime: 9_000,
      },
    ]);
    expect(eventsOf({ type: "LATE_PAYMENT" })[0]).toMatchObject({ type: "order.paid" });
  });

  it("has only the type of a service that does not exist any more", () => {
    const [, changed] = placedEvents(order, timelineOf({ type: "PAID" }), start).map((placed) =>
      orderEvent(placed, { ...sources, services: [] }),
    );
    expect(changed).toEqual({ ...base, id: "order-1-2-1", type: "service.changed", serviceTypeNo: "month" });
  });

  it("has what happened, in both languages, for an alarm", () => {
    const details = JSON.stringify({ about: "order", source: "notification", differences: ["amount"] });
    expect(eventsOf({ type: "MISMATCH", alarm: true, reason: "", details })).toEqual([
      {
        ...base,
        id: "order-1-2-0",
        type: "order.alarm",
        alarm: "MISMATCH",
        message: {
          en: "WeChat Pay's notification does not match the order (amount), so it changed nothing",
          zh: "微信支付异步通知与订单不符（金额），未作任何变更",
        },
      },
    ]);
  });

  it.each([
    ["REFUND_CONFIRMED", { type: "refund.confirmed", settled: false, origin: "tillkit" }],
    ["REFUND_SETTLED", { type: "refund.confirmed", settled: true, origin: "tillkit" }],
    ["REFUND_FAILED", { type: "refund.failed", withdrawn: false }],
  ] as const)("has the refund of %s", (type, event) => {
    const facts = { ...base, ...event, id: "order-1-2-0", refundNo: "refund-1", refundAmount: 200 };
    expect(eventsOf({ type, refundNo: "refund-1" })).toEqual([facts]);
  });

  it("has the sum of the refunds of a refunded order, and nothing more for a closed one", () => {
    const refunded = { ...base, id: "order-1-2-0", type: "order.refunded", refundedAmount: 200 };
    expect(eventsOf({ type: "REFUNDED" })[0]).toEqual({ ...refunded, origin: "tillkit" });
    expect(eventsOf({ type: "REFUNDED", refundNo: "console:5030" })[0]).toEqual({
      ...refunded,
      origin: "console",
    });
    expect(eventsOf({ type: "CLOSED" })).toEqual([{ ...base, id: "order-1-2-0", type: "order.closed" }]);
  });

  it("contains no id of the customer at the wallet and no payload", () => {
    const secret = { ...order, payerId: "openid-1", attachData: "private" };
    const [placed] = placedEvents(secret, timelineOf({ type: "PAID" }), start);
    const event = placed && orderEvent(placed, { ...sources, order: secret });
    expect(event).toMatchObject({ type: "order.paid" });
    expect(JSON.stringify(event)).not.toMatch(/openid|private/);
  });
});
