import { type Order, PAY_CHANNELS, type Ports } from "@tillkit/core";
import { errAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { at, listAt } from "../../support/http/json.js";
import { fetchAnswer } from "../../support/http/caller.js";
import {
  aPurchase,
  created,
  deliver,
  detail,
  expectRefused,
  expectAccepted,
  notificationOf,
  timelineOf,
  walletOf,
} from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";
import type { TestNotification } from "../../support/http/test-host.js";

/**
 * Tests that a payment notification is accepted only if it is signed and matches its order.
 *
 * The notification must also arrive at the notification address of the order.
 */
export function notificationsContract(start: StartService): void {
  describe.each(PAY_CHANNELS)("a notification of %s", (payChannel) => {
    /** Starts a service with an order that the customer has paid, without a notification. */
    const withPayment = async (changes: Readonly<Record<string, unknown>> = {}) => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase({ payChannel, ...changes }));
      walletOf(service, order).pay(order.id);
      return { service, order };
    };

    const expectNothingMoved = async (service: Service, order: Order) => {
      const { orders } = service.host;
      const stored = await orders.find({ appId: order.appId, bizNo: order.bizNo });
      expect(stored.isOk() && stored.value).toEqual(order);
    };

    it("moves the order once and extends the service once, despite concurrent copies", async () => {
      const service = await start();
      const { demo, host, serviceTypeNo } = service;
      const order = await created(service, demo, aPurchase({ payChannel, serviceTypeNo }));
      walletOf(service, order).pay(order.id);
      const notification = notificationOf(service, order);
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => deliver(service, order, notification)),
      );
      for (const answer of answers) expectAccepted(service, payChannel, answer);
      const events = await timelineOf(service, order);
      expect(events.map(({ type }) => type)).toEqual(["CREATED", "PAID"]);
      const moves = service.serviceEvents.filter(({ type }) => type === "order.moved");
      expect(moves).toEqual([
        { type: "order.moved", appId: demo.appId, orderId: order.id, from: "PENDING", to: "PAID" },
      ]);
      const { serviceEvents } = service;
      expect(serviceEvents.filter(({ type }) => type === "payment.recorded")).toMatchObject([
        { orderId: order.id, payChannel, source: "notification" },
      ]);
      expect(serviceEvents).toContainEqual({ type: "notification.accepted", payChannel, kind: "payment" });
      const { data } = await demo.get(`/customerServiceMgmt/${order.customerIdentity}.json`);
      const [only, ...more] = listAt(data, "customerServiceList");
      expect(more).toEqual([]);
      expect(at(only, "expireTime")).toBe(host.clock.now() + 30 * 86_400_000);
    });

    it.each([
      ["amount", { amount: 599 }],
      ["app", { walletAppId: "someone-elses-app" }],
      ["merchant", { merchantId: "someone-elses-merchant" }],
      ["currency", { currency: "USD" }],
    ] as const)(
      "with a wrong %s and a valid signature changes nothing, is recorded and raises one alarm",
      async (_what, lie) => {
        const { service, order } = await withPayment();
        const notification = notificationOf(service, order, lie);
        for (let repeats = 0; repeats < 3; repeats += 1) {
          expectRefused(service, payChannel, await deliver(service, order, notification));
        }
        await expectNothingMoved(service, order);
        const events = await timelineOf(service, order);
        expect(events.map(({ type, alarm }) => [type, alarm])).toEqual([
          ["CREATED", false],
          ["MISMATCH", true],
        ]);
        expect(service.serviceEvents.filter(({ type }) => type === "order.alarm")).toHaveLength(1);
        expectAccepted(service, payChannel, await deliver(service, order, notificationOf(service, order)));
        expect((await detail(service.demo, order)).data).toMatchObject({ paymentStatus: "PAID" });
      },
    );

    it("is rejected if any part of it was changed", async () => {
      const { service, order } = await withPayment();
      const { headers, body } = notificationOf(service, order);
      const step = Math.max(1, Math.floor(body.length / 20));
      for (let position = 0; position < body.length; position += step) {
        const tampered = Uint8Array.from(body, (byte, index) => (index === position ? byte ^ 1 : byte));
        expectRefused(service, payChannel, await deliver(service, order, { headers, body: tampered }));
      }
      await expectNothingMoved(service, order);
      expect(await timelineOf(service, order)).toHaveLength(1);
    });

    it("without a signature is rejected", async () => {
      const { service, order } = await withPayment();
      const { headers, body } = notificationOf(service, order);
      const unsigned = new Headers(headers);
      for (const name of headers.keys()) if (name !== "content-type") unsigned.set(name, "AAAA");
      const text = (written: string): TestNotification => ({
        headers,
        body: new TextEncoder().encode(written),
      });
      const forged: readonly TestNotification[] = [
        { headers: unsigned, body: payChannel === "WALLET_A" ? body : body.slice(1) },
        { headers: new Headers(), body: new TextEncoder().encode("trade_status=TRADE_SUCCESS&sign=AAAA") },
        text(""),
        text("{}"),
        text(`{"out_trade_no":"${order.id}","trade_state":"SUCCESS"}`),
        { headers, body: Uint8Array.of(0xff, 0xfe, 0x00) },
      ];
      for (const one of forged) expectRefused(service, payChannel, await deliver(service, order, one));
      await expectNothingMoved(service, order);
      expect(await timelineOf(service, order)).toHaveLength(1);
    });

    it("that is too large is rejected without being read", async () => {
      const { service, order } = await withPayment();
      const { headers } = notificationOf(service, order);
      const body = new Uint8Array(service.ports.policy.maxRequestBytes + 1).fill(0x20);
      expectRefused(service, payChannel, await deliver(service, order, { headers, body }));
      await expectNothingMoved(service, order);
    });

    it("of one order is rejected at the address of another order", async () => {
      const { service, order } = await withPayment();
      const other = await created(service, service.demo, aPurchase({ payChannel }));
      expectRefused(service, payChannel, await deliver(service, other, notificationOf(service, order)));
      await expectNothingMoved(service, order);
      await expectNothingMoved(service, other);
      // Anyone can send a genuine notification to another address. The notification must not change
      // the other order.
      expect(await timelineOf(service, other)).toHaveLength(1);
      expect(service.serviceEvents).toContainEqual({
        type: "notification.refused",
        payChannel,
        reason: "unknown-order",
      });
    });

    it("to an app is rejected at the address of another app's order", async () => {
      const { service, order } = await withPayment();
      const twin = await created(service, service.second, aPurchase({ payChannel, bizNo: order.bizNo }));
      expectRefused(service, payChannel, await deliver(service, twin, notificationOf(service, order)));
      await expectNothingMoved(service, order);
      await expectNothingMoved(service, twin);
    });

    it("of an unknown order, or to an unknown account, is rejected", async () => {
      const { service, order } = await withPayment();
      const notification = notificationOf(service, order);
      const [, , , toolId = "", ref = ""] = order.notifyUrl
        .slice(service.ports.notificationsUrl.length)
        .split("/");
      const addressOf = (tool: string, reference: string): Order => ({
        ...order,
        notifyUrl: `${service.ports.notificationsUrl}/notify/${payChannel}/${tool}/${reference}`,
      });
      const unknown = [addressOf(toolId, "bm9uZQ"), addressOf(toolId, "1"), addressOf("01NOTOOL", ref)];
      for (const address of unknown) {
        expectRefused(service, payChannel, await deliver(service, address, notification));
      }
      const elsewhere = notificationOf(service, order, { outTradeNo: "01HNOSUCHORDER000000000000" });
      expectRefused(service, payChannel, await deliver(service, order, elsewhere));
      await expectNothingMoved(service, order);
    });

    it("is accepted if it arrives after a read found the order PAID", async () => {
      const { service, order } = await withPayment();
      const notification = notificationOf(service, order);
      expect((await detail(service.demo, order)).data).toMatchObject({ paymentStatus: "PAID" });
      expectAccepted(service, payChannel, await deliver(service, order, notification));
      expect((await timelineOf(service, order)).map(({ type }) => type)).toEqual(["CREATED", "PAID"]);
    });

    it("with fewer facts than are stored changes nothing", async () => {
      const { service, order } = await withPayment();
      expectAccepted(service, payChannel, await deliver(service, order, notificationOf(service, order)));
      for (const state of ["OPEN", "CLOSED"] as const) {
        const late = notificationOf(service, order, { state });
        expectAccepted(service, payChannel, await deliver(service, order, late));
      }
      expect((await detail(service.demo, order)).data).toMatchObject({ paymentStatus: "PAID" });
    });

    it("is not acknowledged while it cannot be stored, and counts when it is repeated", async () => {
      let down = true;
      const service = await start({
        ports: (ports) => {
          const transition: Ports["orders"]["transition"] = (key, change) =>
            down
              ? errAsync({ name: "storage.unavailable", cause: undefined } as const)
              : ports.orders.transition(key, change);
          return { ...ports, orders: { ...ports.orders, transition } };
        },
      });
      const order = await created(service, service.demo, aPurchase({ payChannel }));
      walletOf(service, order).pay(order.id);
      const notification = notificationOf(service, order);
      const { status } = await deliver(service, order, notification);
      expect(status).toBe(503);
      await expectNothingMoved(service, order);
      down = false;
      expectAccepted(service, payChannel, await deliver(service, order, notification));
      expect((await timelineOf(service, order)).map(({ type }) => type)).toEqual(["CREATED", "PAID"]);
    });

    it("needs no app headers, and the return page proves no payment", async () => {
      const { service, order } = await withPayment();
      const back = await fetchAnswer(
        `${service.notificationsUrl}/return/${payChannel}?out_trade_no=${order.id}`,
      );
      expect(back.status).toBe(200);
      expect(back.headers.get("content-type")).toMatch(/^text\/html/);
      expect(back.text).not.toContain(order.id);
      await expectNothingMoved(service, order);
    });
  });

  it("of WALLET_A is rejected if its time differs by more than five minutes", async () => {
    const service = await start();
    const { demo, host, ports } = service;
    const order = await created(service, demo, aPurchase());
    host.wallets.WALLET_A.pay(order.id);
    const notification = notificationOf(service, order);
    host.clock.advance(ports.policy.notificationSkew + 1);
    expectRefused(service, "WALLET_A", await deliver(service, order, notification));
    expect(service.serviceEvents).toContainEqual({
      type: "notification.refused",
      payChannel: "WALLET_A",
      reason: "stale",
    });
    expect(await timelineOf(service, order)).toHaveLength(1);
  });
}
