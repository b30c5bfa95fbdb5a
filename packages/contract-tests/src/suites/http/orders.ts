import { PAY_CHANNELS, type ServiceEvent } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { expectOk } from "../../support/open-before-each.js";
import { textAt } from "../../support/http/json.js";
import {
  aPurchase,
  created,
  deliver,
  detail,
  expectAccepted,
  notificationOf,
  paid,
  refund,
  storedOrder,
  timelineOf,
  UNKNOWN,
  walletOf,
} from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";

const SECOND = 1_000;

/** Returns how often the service made this call to a wallet. */
function callsOf(
  { serviceEvents }: Service,
  call: Extract<ServiceEvent, { type: "wallet.called" }>["call"],
): number {
  return serviceEvents.filter(
    (serviceEvent) => serviceEvent.type === "wallet.called" && serviceEvent.call === call,
  ).length;
}

/** Tests an order from its creation to its end, as a caller sees it. */
export function ordersContract(start: StartService): void {
  describe.each(PAY_CHANNELS)("an order over %s", (payChannel) => {
    it("is created, paid, notified, and read as PAID", async () => {
      const service = await start();
      const { demo, host } = service;
      const purchase = aPurchase({
        payChannel,
        sourceFrom: "store_03",
        customerName: "Li Lei",
        attachData: "x",
      });
      const order = await created(service, demo, purchase);
      const pending = await detail(demo, order);
      expect(pending.data).toMatchObject({ id: order.id, appId: demo.appId, paymentStatus: "PENDING" });
      expect(pending.data).not.toHaveProperty("pmtDt");

      host.clock.advance(3 * SECOND);
      const paidAt = host.clock.now();
      walletOf(service, order).pay(order.id);
      host.clock.advance(SECOND);
      expectAccepted(service, payChannel, await deliver(service, order, notificationOf(service, order)));

      const answer = await detail(demo, order);
      expect(answer.json).toMatchObject({ code: 0, msg: "success" });
      expect(answer.data).toEqual({
        id: order.id,
        appId: demo.appId,
        bizNo: order.bizNo,
        amount: 600,
        goodsTitle: "Thirty days",
        payChannel,
        sourceFrom: "store_03",
        attachData: "x",
        paymentStatus: "PAID",
        pmtDt: paidAt,
        gmtCreate: order.gmtCreate,
        gmtModified: host.clock.now(),
        extInfo: {},
      });
      expect(answer.headers.get("x-trace-id")).toMatch(/^[0-9a-f]{32}$/);
    });

    it("has one row and one prepayment, and 25 concurrent creations return one answer", async () => {
      const service = await start();
      const { demo, host } = service;
      // These payments need a wallet call, so that the requests can race for it.
      const purchase = aPurchase({ payChannel, paySource: payChannel === "WALLET_B" ? "NATIVE" : "APP" });
      const answers = await Promise.all(Array.from({ length: 25 }, () => demo.post("/order.json", purchase)));
      const [first] = answers;
      expect(first?.json).toMatchObject({ code: 0 });
      for (const answer of answers) expect(answer.data).toEqual(first?.data);
      expect(new Set(answers.map(({ traceId }) => traceId)).size).toBe(25);
      const { id } = await storedOrder(service, demo, purchase.bizNo);
      expect(host.wallets[payChannel].prepareCount(id)).toBe(1);
      const history = await demo.get("/history.json", { customerIdentity: "customer-1" });
      expect(history.data).toMatchObject({ totalCount: 1 });
    });

    it("returns one answer to 25 concurrent creations of an APP order", async () => {
      const service = await start();
      const purchase = aPurchase({ payChannel });
      const answers = await Promise.all(
        Array.from({ length: 25 }, () => service.demo.post("/order.json", purchase)),
      );
      expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
      expect(answers[0]?.json).toMatchObject({ code: 0 });
    });

    it("continues with the same wallet order after an unknown outcome", async () => {
      const service = await start();
      const { demo, host } = service;
      const purchase = aPurchase({ payChannel, paySource: "NATIVE" });
      const wallet = host.wallets[payChannel];
      for (const when of ["before", "after"] as const) {
        wallet.failNext("prepare", UNKNOWN, when);
        const failed = await demo.post("/order.json", purchase);
        expect(failed.code).toBe(payChannel === "WALLET_A" ? 30002 : 40001);
      }
      const before = await storedOrder(service, demo, purchase.bizNo);
      const answer = await demo.post("/order.json", purchase);
      expect(answer.json).toMatchObject({ code: 0 });
      const order = await storedOrder(service, demo, purchase.bizNo);
      expect(order).toMatchObject({ id: before.id, gmtCreate: before.gmtCreate });
      expect(wallet.prepareCount(order.id)).toBe(3);
      await paid(service, order);
      expect((await detail(demo, order)).data).toMatchObject({ paymentStatus: "PAID" });
    });

    it("becomes PAID by a read if the notification was lost, with at most one query in ten seconds", async () => {
      const service = await start();
      const { demo, host } = service;
      const order = await created(service, demo, aPurchase({ payChannel }));
      const statusOf = async () => textAt((await detail(demo, order)).data, "paymentStatus");
      const requestCount = callsOf(service, "query");
      const reads = await Promise.all(Array.from({ length: 10 }, statusOf));
      expect(reads).toEqual(Array.from({ length: 10 }, () => "PENDING"));
      expect(callsOf(service, "query")).toBe(requestCount + 1);

      walletOf(service, order).pay(order.id);
      host.clock.advance(10 * SECOND - 1);
      expect(await statusOf()).toBe("PENDING");
      expect(callsOf(service, "query")).toBe(requestCount + 1);
      host.clock.advance(1);
      expect(await statusOf()).toBe("PAID");
      expect(callsOf(service, "query")).toBe(requestCount + 2);
      host.clock.advance(60 * SECOND);
      expect(await statusOf()).toBe("PAID");
      expect(callsOf(service, "query")).toBe(requestCount + 2);
    });

    it("is returned as stored if the wallet does not answer", async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase({ payChannel }));
      walletOf(service, order).failNext("query", UNKNOWN);
      const answer = await detail(service.demo, order);
      expect(answer.json).toMatchObject({ code: 0, data: { paymentStatus: "PENDING" } });
    });

    it("can no longer be paid after it expires, and is closed at the wallet before it is closed in Tillkit", async () => {
      const service = await start();
      const { demo, host } = service;
      const purchase = aPurchase({ payChannel, paySource: "NATIVE" });
      const order = await created(service, demo, purchase);
      const { orderTtl, expiryMargin } = service.ports.policy;
      host.clock.advance(orderTtl - 1);
      expect((await demo.post("/order.json", purchase)).code).toBe(0);
      host.clock.advance(1);
      expect((await demo.post("/order.json", purchase)).code).toBe(50004);
      expect((await detail(demo, order)).data).toMatchObject({ paymentStatus: "PENDING" });

      host.clock.advance(expiryMargin);
      walletOf(service, order).failNext("close", UNKNOWN);
      expect((await detail(demo, order)).data).toMatchObject({ paymentStatus: "PENDING" });
      host.clock.advance(10 * SECOND);
      expect((await detail(demo, order)).data).toMatchObject({ paymentStatus: "CLOSE" });
      expect(callsOf(service, "close")).toBe(2);
      expect(() => walletOf(service, order).pay(order.id)).toThrow();
      expect((await demo.post("/order.json", purchase)).code).toBe(50004);
    });

    it("becomes PAID after CLOSE if the wallet confirms the payment later, with an alarm", async () => {
      const service = await start();
      const { demo, host, ports } = service;
      const order = await created(service, demo, aPurchase({ payChannel }));
      const late = { state: "PAID", paidAt: host.clock.now(), walletTradeNo: "late" } as const;
      host.clock.advance(ports.policy.orderTtl + ports.policy.expiryMargin);
      expect((await detail(demo, order)).data).toMatchObject({ paymentStatus: "CLOSE" });
      const notification = notificationOf(service, order, late);
      expectAccepted(service, payChannel, await deliver(service, order, notification));
      expect((await detail(demo, order)).data).toMatchObject({ paymentStatus: "PAID", pmtDt: late.paidAt });
      const events = await timelineOf(service, order);
      expect(events.map(({ type, alarm }) => [type, alarm])).toEqual([
        ["CREATED", false],
        ["CLOSED", false],
        ["LATE_PAYMENT", true],
      ]);
      expect(service.serviceEvents).toContainEqual({
        type: "order.alarm",
        appId: demo.appId,
        orderId: order.id,
        event: "LATE_PAYMENT",
      });
    });

    it("is PAID after a partial refund, and REFUND after a full refund", async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase({ payChannel, amount: 600 }));
      await paid(service, order);
      await expectOk(refund(service, order.bizNo, 150));
      expect((await detail(service.demo, order)).data).toMatchObject({
        paymentStatus: "PAID",
        extInfo: { refundedAmount: 150 },
      });
      await expectOk(refund(service, order.bizNo));
      expect((await detail(service.demo, order)).data).toMatchObject({
        paymentStatus: "REFUND",
        extInfo: { refundedAmount: 600 },
      });
      const refunded = await service.demo.get("/history.json", {
        customerIdentity: order.customerIdentity,
        paymentStatus: "REFUND",
      });
      expect(refunded.data).toMatchObject({ totalCount: 1, payOrderList: [{ bizNo: order.bizNo }] });
    });
  });
}
