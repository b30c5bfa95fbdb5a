import { PAY_CHANNELS, reconcileOrders } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { DAY } from "../../support/fixtures.js";
import { expectOk } from "../../support/open-before-each.js";
import { listAt } from "../../support/http/json.js";
import {
  aPurchase,
  close,
  created,
  deliver,
  detail,
  expectAccepted,
  notificationOf,
} from "../../support/http/purchases.js";
import { callsOf, timelineOf, walletOf } from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

const MONTH = 30 * DAY;

/** Tests that a payment after the close of an order counts like any other payment. */
export function latePaymentsContract(start: StartService): void {
  describe.each(PAY_CHANNELS)("a payment over %s that arrives after the close", (payChannel) => {
    it("makes the order PAID, extends the customer's service once, and raises an alarm", async () => {
      const service = await start();
      const { demo, host, serviceTypeNo } = service;
      const purchase = aPurchase({ payChannel, serviceTypeNo, serviceNo: "vip-1" });
      const order = await created(service, demo, purchase);
      const wallet = walletOf(service, order);
      // The wallet accepted the payment, and Tillkit closed the order without a query of the
      // wallet.
      wallet.pay(order.id);
      const paidAt = notificationOf(service, order);
      const moved = await expectOk(
        host.orders.transition(
          { appId: demo.appId, bizNo: order.bizNo },
          {
            from: "PENDING",
            to: "CLOSE",
            at: host.clock.now(),
            entry: {
              type: "CLOSED",
              at: host.clock.now(),
              actor: "expiry",
              reason: "the time to pay is over",
              from: "PENDING",
              to: "CLOSE",
              alarm: false,
            },
          },
        ),
      );
      expect(moved).toMatchObject({ moved: true, order: { paymentStatus: "CLOSE" } });
      host.clock.advance(1_000);
      const expireTime = host.clock.now() + MONTH;
      for (let deliveries = 0; deliveries < 2; deliveries += 1) {
        expectAccepted(service, payChannel, await deliver(service, order, paidAt));
        host.clock.advance(1_000);
      }
      expect((await detail(demo, order)).data).toMatchObject({ paymentStatus: "PAID" });
      const services = await demo.get(`/customerServiceMgmt/${order.customerIdentity}.json`);
      expect(listAt(services.data, "customerServiceList")).toEqual([
        { serviceNo: "vip-1", serviceName: "Member", expireTime },
      ]);
      expect((await timelineOf(service, order)).filter(({ alarm }) => alarm)).toMatchObject([
        { type: "LATE_PAYMENT", from: "CLOSE", to: "PAID" },
      ]);
    });
  });

  it("an order that was closed early is queried once after its expiry, and then no more", async () => {
    const service = await start();
    const { demo, host, ports } = service;
    const order = await created(service, demo, aPurchase({ payChannel: "WALLET_B" }));
    await expectOk(close(service, order.bizNo));
    const send = async () => {
      const before = callsOf(service, "query");
      await expectOk(reconcileOrders(ports));
      return callsOf(service, "query") - before;
    };
    expect(await send()).toBe(0);
    host.clock.advance(order.expiresAt + ports.policy.expiryMargin - host.clock.now());
    expect(await send()).toBe(1);
    for (const later of [ports.policy.workLease, DAY, 365 * DAY]) {
      host.clock.advance(later);
      expect(await send()).toBe(0);
    }
    expect(await expectOk(host.orders.dueSince(host.clock.now(), 10))).toEqual({ due: 0 });
  });

  it("a payment counts even if an operator closed the order before the wallet knew the order", async () => {
    const service = await start();
    const { demo, serviceTypeNo } = service;
    const order = await created(service, demo, aPurchase({ payChannel: "WALLET_B", serviceTypeNo }));
    expect(await expectOk(close(service, order.bizNo))).toMatchObject({ paymentStatus: "CLOSE" });
    walletOf(service, order).pay(order.id);
    expectAccepted(service, "WALLET_B", await deliver(service, order, notificationOf(service, order)));
    const services = await demo.get(`/customerServiceMgmt/${order.customerIdentity}.json`);
    expect(listAt(services.data, "customerServiceList")).toHaveLength(1);
  });
}
