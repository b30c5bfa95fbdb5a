import { PAY_CHANNELS, type Ports, reconcileOrders, syncOrder } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { MINUTE } from "../../support/fixtures.js";
import { expectFailure, expectOk, race } from "../../support/open-before-each.js";
import {
  aPurchase,
  callsOf,
  close,
  created,
  paid,
  REJECTED,
  refund,
  storedOrder,
  timelineOf,
  UNKNOWN,
  walletOf,
} from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";

/** Tests how orders end without a notification: by an operator or by the reconciler. */
export function closingContract(start: StartService): void {
  describe("closeOrder", () => {
    it("closes the order at the wallet first, then in Tillkit, and it can no longer be paid", async () => {
      const steps: string[] = [];
      const service = await start({ ports: (ports) => noting(ports, steps) });
      const order = await created(service, service.demo, aPurchase());
      expect(await expectOk(close(service, order.bizNo))).toMatchObject({ paymentStatus: "CLOSE" });
      expect(steps).toEqual(["the wallet closed it", "PENDING → CLOSE"]);
      expect(() => walletOf(service, order).pay(order.id)).toThrow();
      const [last] = (await timelineOf(service, order)).slice(-1);
      expect(last).toMatchObject({ type: "CLOSED", actor: "operator:han", alarm: false });
      expect(last?.reason).toBe("asked to");
      const again = await service.demo.post("/order.json", aPurchase({ bizNo: order.bizNo }));
      expect(again.code).toBe(50004);
    });

    it.each(PAY_CHANNELS)(
      "returns PAID for an order of %s that was paid in the meantime",
      async (payChannel) => {
        const service = await start();
        const order = await created(service, service.demo, aPurchase({ payChannel }));
        walletOf(service, order).pay(order.id);
        expect(await expectOk(close(service, order.bizNo))).toMatchObject({ paymentStatus: "PAID" });
        expect((await timelineOf(service, order)).map(({ type }) => type)).toEqual(["CREATED", "PAID"]);
      },
    );

    it.each([
      [UNKNOWN, "WALLET_A", { name: "wallet-a.unavailable" }],
      [REJECTED, "WALLET_A", { name: "wallet-a.rejected" }],
      [UNKNOWN, "WALLET_B", { name: "wallet-b.failed", kind: "unavailable" }],
    ] as const)("changes nothing after %o of %s", async (fault, payChannel, failure) => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase({ payChannel }));
      walletOf(service, order).failNext("close", fault);
      expect(await expectFailure(close(service, order.bizNo))).toEqual(failure);
      expect(await storedOrder(service, service.demo, order.bizNo)).toEqual(order);
      expect(await timelineOf(service, order)).toHaveLength(1);
      expect(await expectOk(close(service, order.bizNo))).toMatchObject({ paymentStatus: "CLOSE" });
    });

    it("fails for an order in a final status or of another app, without calling the wallet", async () => {
      const service = await start();
      const { bizNo: paidNo } = await aPaidOrder(service);
      const { bizNo: refundedNo } = await aPaidOrder(service);
      await expectOk(refund(service, refundedNo));
      const { bizNo: closedNo } = await created(service, service.demo, aPurchase());
      await expectOk(close(service, closedNo));
      const { bizNo: foreignNo } = await created(service, service.second, aPurchase());
      const before = callsOf(service, "close");
      const names = [];
      for (const bizNo of [paidNo, refundedNo, closedNo, foreignNo, "b-none"]) {
        names.push((await expectFailure(close(service, bizNo))).name);
      }
      expect(names).toEqual([
        "order.already-paid",
        "order.refunded",
        "order.closed",
        "order.not-found",
        "order.not-found",
      ]);
      expect(callsOf(service, "close")).toBe(before);
    });

    it("loses every race against a payment", async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase());
      walletOf(service, order).pay(order.id);
      const [closed] = await Promise.all([expectOk(close(service, order.bizNo)), sync(service, order.bizNo)]);
      expect(closed.paymentStatus).toBe("PAID");
      expect((await timelineOf(service, order)).map(({ type }) => type)).toEqual(["CREATED", "PAID"]);
    });
  });

  describe("syncOrder", () => {
    it.each(PAY_CHANNELS)("finds a payment at %s without a notification", async (payChannel) => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase({ payChannel }));
      expect(await expectOk(sync(service, order.bizNo))).toMatchObject({ paymentStatus: "PENDING" });
      walletOf(service, order).pay(order.id);
      expect(await expectOk(sync(service, order.bizNo))).toMatchObject({ paymentStatus: "PAID" });
    });

    it("closes an expired order after policy.expiryMargin, and not before", async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase());
      const { orderTtl, expiryMargin } = service.ports.policy;
      service.host.clock.advance(orderTtl + expiryMargin - 1);
      expect(await expectOk(sync(service, order.bizNo))).toMatchObject({ paymentStatus: "PENDING" });
      service.host.clock.advance(1);
      expect(await expectOk(sync(service, order.bizNo))).toMatchObject({ paymentStatus: "CLOSE" });
      expect((await timelineOf(service, order)).at(-1)).toMatchObject({ type: "CLOSED", actor: "expiry" });
    });

    it("fails if the wallet's answer cannot be verified, and if the app has no such order", async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase());
      walletOf(service, order).failNext("query", { ...UNKNOWN, cause: "unverified" });
      expect(await expectFailure(sync(service, order.bizNo))).toEqual({ name: "wallet-a.bad-answer" });
      expect(await storedOrder(service, service.demo, order.bizNo)).toEqual(order);
      const foreign = await created(service, service.second, aPurchase());
      expect(await expectFailure(sync(service, foreign.bizNo))).toEqual({ name: "order.not-found" });
      expect(await expectFailure(sync(service, "b-none"))).toEqual({ name: "order.not-found" });
    });

    it("sends no query about an order that is PAID", async () => {
      const service = await start();
      const { bizNo } = await aPaidOrder(service);
      const before = callsOf(service, "query");
      expect(await expectOk(sync(service, bizNo))).toMatchObject({ paymentStatus: "PAID" });
      expect(callsOf(service, "query")).toBe(before);
    });
  });

  describe("an unsigned answer that the wallet has no such order", () => {
    const ABSENT = { ...REJECTED, reason: "absent", trusted: false } as const;

    it("does not let an operator close an order before it expires", async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase());
      walletOf(service, order).failNext("close", ABSENT);
      expect(await expectFailure(close(service, order.bizNo))).toEqual({ name: "wallet-a.bad-answer" });
      expect(await storedOrder(service, service.demo, order.bizNo)).toEqual(order);
    });

    it("closes an expired order if the wallet's answer is still the same after policy.unsignedRefusalDelay", async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase());
      const { orderTtl, expiryMargin, unsignedRefusalDelay } = service.ports.policy;
      const reconciledAfter = async (wait: number) => {
        service.host.clock.advance(wait);
        walletOf(service, order).failNext("query", ABSENT);
        expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ orders: 1 });
        return storedOrder(service, service.demo, order.bizNo);
      };
      expect(await reconciledAfter(orderTtl + expiryMargin)).toMatchObject({ paymentStatus: "PENDING" });
      expect(await reconciledAfter(unsignedRefusalDelay)).toMatchObject({ paymentStatus: "CLOSE" });
    });
  });

  describe.each(PAY_CHANNELS)("reconcileOrders at %s", (payChannel) => {
    const pending = async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase({ payChannel }));
      return { service, order, wallet: walletOf(service, order) };
    };

    it("finds payments without a notification, and leaves the other orders PENDING", async () => {
      const { service, order, wallet } = await pending();
      const open = await created(service, service.demo, aPurchase({ payChannel }));
      wallet.pay(order.id);
      expect(await expectOk(reconcileOrders(service.ports))).toEqual({ orders: 0, refunds: 0 });
      service.host.clock.advance(30_000);
      expect(await expectOk(reconcileOrders(service.ports))).toEqual({ orders: 2, refunds: 0 });
      const { demo } = service;
      expect(await storedOrder(service, demo, order.bizNo)).toMatchObject({ paymentStatus: "PAID" });
      expect(await storedOrder(service, demo, open.bizNo)).toMatchObject({
        paymentStatus: "PENDING",
        nextQueryAt: open.gmtCreate + MINUTE,
      });
      service.host.clock.advance(30_000);
      expect(await expectOk(reconcileOrders(service.ports))).toEqual({ orders: 1, refunds: 0 });
    });

    it("closes orders that were not paid in time", async () => {
      const { service, order } = await pending();
      const { orderTtl, expiryMargin } = service.ports.policy;
      service.host.clock.advance(orderTtl + expiryMargin);
      await expectOk(reconcileOrders(service.ports));
      const closed = await storedOrder(service, service.demo, order.bizNo);
      expect(closed).toMatchObject({ paymentStatus: "CLOSE" });
      expect(closed).not.toHaveProperty("nextQueryAt");
    });

    it("does not close an order that was paid at the last moment", async () => {
      const { service, order, wallet } = await pending();
      const { orderTtl, expiryMargin } = service.ports.policy;
      service.host.clock.advance(orderTtl);
      wallet.pay(order.id);
      service.host.clock.advance(expiryMargin);
      await expectOk(reconcileOrders(service.ports));
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
        paymentStatus: "PAID",
        pmtDt: order.expiresAt,
      });
    });

    it("leaves an order unchanged while the outcome is unknown, and queries again", async () => {
      const { service, order, wallet } = await pending();
      const { orderTtl, expiryMargin } = service.ports.policy;
      service.host.clock.advance(orderTtl + expiryMargin);
      wallet.failNext("query", UNKNOWN);
      expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ orders: 1 });
      const after = await storedOrder(service, service.demo, order.bizNo);
      expect(after.paymentStatus).toBe("PENDING");
      expect(after.nextQueryAt).toBeGreaterThan(service.host.clock.now());
      service.host.clock.advance((after.nextQueryAt ?? Infinity) - service.host.clock.now());
      expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ orders: 1 });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ paymentStatus: "CLOSE" });
    });

    it("assigns each order to one of several concurrent workers", async () => {
      const { service } = await pending();
      for (let more = 0; more < 4; more += 1) {
        await created(service, service.demo, aPurchase({ payChannel }));
      }
      service.host.clock.advance(30_000);
      const rounds = await race(10, () => reconcileOrders(service.ports, 2));
      expect(rounds.reduce((sum, { orders }) => sum + orders, 0)).toBe(5);
      expect(callsOf(service, "query")).toBe(5);
    });
  });
}

function sync({ ports, demo }: Service, bizNo: string) {
  return syncOrder(ports, demo.appId, bizNo);
}

async function aPaidOrder(service: Service) {
  const order = await created(service, service.demo, aPurchase());
  await paid(service, order);
  return order;
}

/**
 * Wraps the ports and records when WALLET_A closes an order and when an order changes its status.
 */
function noting(ports: Ports, steps: string[]): Ports {
  const { orders, wallets } = ports;
  const close: Ports["wallets"]["WALLET_A"]["close"] = (...call) =>
    wallets.WALLET_A.close(...call).map((outcome) => {
      steps.push(`the wallet ${outcome} it`);
      return outcome;
    });
  const transition: Ports["orders"]["transition"] = (key, change) => {
    steps.push(`${change.from} → ${change.to}`);
    return orders.transition(key, change);
  };
  return {
    ...ports,
    orders: { ...orders, transition },
    wallets: { ...wallets, WALLET_A: { ...wallets.WALLET_A, close } },
  };
}
