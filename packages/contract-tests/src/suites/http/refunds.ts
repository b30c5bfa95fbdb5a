import { orThrow, PAY_CHANNELS, type PayChannel, type Ports, reconcileOrders } from "@tillkit/core";
import { errAsync, ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { DAY, MINUTE, CONCURRENT_CALLERS } from "../../support/fixtures.js";
import { expectFailure, expectOk } from "../../support/open-before-each.js";
import {
  aPurchase,
  callsOf,
  created,
  detail,
  onlyRefundOf,
  paid,
  REJECTED,
  refund,
  refundsOf,
  storedOrder,
  timelineOf,
  UNKNOWN,
  walletOf,
} from "../../support/http/purchases.js";
import type { ServiceChanges, StartService } from "../../support/http/service.js";

/** Tests that an operator's refund moves money once, under one number, despite failures. */
export function refundsContract(start: StartService): void {
  /** Starts a service with a paid order of six yuan. */
  const withPaidOrder = async (payChannel: PayChannel = "WALLET_A", changes?: ServiceChanges) => {
    const service = await start(changes);
    const order = await created(service, service.demo, aPurchase({ payChannel }));
    await paid(service, order);
    return { service, order, wallet: walletOf(service, order) };
  };

  describe.each(PAY_CHANNELS)("an order of %s", (payChannel) => {
    it("is REFUND after a full refund, with the operator's name on the timeline", async () => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      const made = await expectOk(refund(service, order.bizNo));
      expect(made).toMatchObject({ status: "CONFIRMED", amount: 600 });
      expect(made.walletRefundNo).toMatch(/./);
      expect(wallet.balance()).toBe(0);
      expect((await detail(service.demo, order)).data).toMatchObject({ paymentStatus: "REFUND" });
      const events = (await timelineOf(service, order)).slice(2);
      expect(events.map(({ type, actor }) => [type, actor])).toEqual([
        ["REFUND_REQUESTED", "operator:han"],
        ["REFUND_SENT", "operator:han"],
        ["REFUND_CONFIRMED", "wallet"],
        ["REFUNDED", "wallet"],
      ]);
      expect(events[0]?.reason).toBe("the customer changed their mind");
      expect(events.at(-1)).toMatchObject({
        reason: "",
        from: "PAID",
        to: "REFUND",
        alarm: false,
      });
      expect(await expectFailure(refund(service, order.bizNo))).toMatchObject({ name: "order.refunded" });
    });

    it("stays PAID after a partial refund, and shows the refunded amount", async () => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      expect(await expectOk(refund(service, order.bizNo, 250))).toMatchObject({ status: "CONFIRMED" });
      expect((await detail(service.demo, order)).data).toMatchObject({
        paymentStatus: "PAID",
        amount: 600,
        extInfo: { refundedAmount: 250 },
      });
      expect(wallet.balance()).toBe(350);
      expect(service.serviceEvents.filter(({ type }) => type === "refund.moved")).toMatchObject([
        { orderId: order.id, to: "REQUESTED", amount: 250 },
        { orderId: order.id, to: "CONFIRMED", amount: 250 },
      ]);
      expect(service.serviceEvents.filter(({ type }) => type === "order.moved")).toMatchObject([
        { to: "PAID" },
      ]);
    });

    it("becomes REFUND when its partial refunds reach the whole amount, and never refunds more than was paid", async () => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      await expectOk(refund(service, order.bizNo, 250));
      expect(await expectFailure(refund(service, order.bizNo, 351))).toEqual({
        name: "refund.exceeds-remaining",
        remaining: 350,
      });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ paymentStatus: "PAID" });
      expect(await expectOk(refund(service, order.bizNo))).toMatchObject({ amount: 350 });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
        paymentStatus: "REFUND",
        refundedAmount: 600,
      });
      const [first, second, ...more] = await refundsOf(service, order);
      expect(first?.refundNo).not.toBe(second?.refundNo);
      expect(more).toEqual([]);
      expect(wallet.balance()).toBe(0);
    });

    it("is refunded once, despite concurrent requests of operators", async () => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      const results = await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, () => refund(service, order.bizNo)),
      );
      expect(results.filter((result) => result.isOk())).toHaveLength(1);
      const losers = new Set(results.flatMap((result) => (result.isErr() ? [result.error.name] : [])));
      const allowed = [
        "refund.in-progress",
        "order.not-paid",
        "order.refunded",
        "refund.exceeds-remaining",
      ] as const;
      for (const name of losers) expect(allowed).toContain(name);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED", amount: 600 });
      expect(callsOf(service, "refund")).toBe(1);
      expect(wallet.balance()).toBe(0);
    });

    it("accepts only one of several concurrent refunds that together exceed the amount", async () => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      const results = await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, () => refund(service, order.bizNo, 400)),
      );
      expect(results.filter((result) => result.isOk())).toHaveLength(1);
      expect(wallet.balance()).toBe(200);
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 400 });
    });

    it("is refunded under the same number after the wallet's response was lost, and the money moves once", async () => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      wallet.failNext("refund", UNKNOWN, "after");
      const lost = await expectFailure(refund(service, order.bizNo));
      expect(lost).toEqual({ name: "refund.outcome-unknown" });
      const sent = await onlyRefundOf(service, order);
      expect(sent.status).toBe("SENT");
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 0 });
      expect(await expectFailure(refund(service, order.bizNo))).toEqual({ name: "refund.in-progress" });
      expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 0 });
      service.host.clock.advance(MINUTE);
      expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 1 });
      expect(await onlyRefundOf(service, order)).toMatchObject({
        refundNo: sent.refundNo,
        status: "CONFIRMED",
      });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
        paymentStatus: "REFUND",
        refundedAmount: 600,
      });
      expect(wallet.balance()).toBe(0);
      service.host.clock.advance(60 * MINUTE);
      expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 0 });
    });

    it("keeps a refund open without a time limit while the wallet gives no definite answer", async () => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      wallet.failNext("refund", UNKNOWN);
      await expectFailure(refund(service, order.bizNo));
      const { refundNo } = await onlyRefundOf(service, order);
      for (const pause of [MINUTE, 4 * MINUTE, 5 * MINUTE]) {
        wallet.failNext("queryRefund", UNKNOWN);
        service.host.clock.advance(pause);
        expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 1 });
        expect(await onlyRefundOf(service, order)).toMatchObject({ refundNo, status: "SENT" });
      }
      expect(wallet.balance()).toBe(600);
      service.host.clock.advance(20 * MINUTE);
      await expectOk(reconcileOrders(service.ports));
      expect(await onlyRefundOf(service, order)).toMatchObject({ refundNo, status: "CONFIRMED" });
      expect(wallet.balance()).toBe(0);
    });
  });

  it("a refusal by a wallet that has no record of the refund is final, raises an alarm and releases the amount", async () => {
    const { service, order, wallet } = await withPaidOrder();
    wallet.failNext("refund", REJECTED);
    expect(await expectFailure(refund(service, order.bizNo, 400))).toEqual({ name: "refund.rejected" });
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "FAILED" });
    const [last] = (await timelineOf(service, order)).slice(-1);
    expect(last).toMatchObject({ type: "REFUND_FAILED", alarm: true });
    expect(last?.details).toContain(REJECTED.detail);
    expect(service.serviceEvents).toContainEqual({
      type: "order.alarm",
      appId: order.appId,
      orderId: order.id,
      event: "REFUND_FAILED",
    });
    service.host.clock.advance(60 * MINUTE);
    expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 0 });
    expect(await expectOk(refund(service, order.bizNo))).toMatchObject({ status: "CONFIRMED", amount: 600 });
    expect(wallet.balance()).toBe(0);
  });

  it("a refusal has no effect if the wallet has a record of the refund, which then counts", async () => {
    const { service, order, wallet } = await withPaidOrder();
    wallet.failNext("refund", REJECTED, "after");
    await expectOk(refund(service, order.bizNo, 400));
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 400 });
    expect((await timelineOf(service, order)).some(({ alarm }) => alarm)).toBe(false);
    expect(wallet.balance()).toBe(200);
  });

  it("a refusal takes no effect while the wallet's own record cannot be read", async () => {
    const { service, order, wallet } = await withPaidOrder();
    wallet.failNext("refund", REJECTED);
    // These are the answers to the query before the refund and to the query after its refusal.
    wallet.failNext("queryRefund", { ...REJECTED, reason: "absent", trusted: false });
    wallet.failNext("queryRefund", UNKNOWN);
    expect(await expectFailure(refund(service, order.bizNo))).toEqual({ name: "refund.outcome-unknown" });
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
    service.host.clock.advance(MINUTE);
    await expectOk(reconcileOrders(service.ports));
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
    expect(wallet.balance()).toBe(0);
  });

  it("a process that dies before it calls the wallet leaves a request, which another process completes under the same number", async () => {
    let dead = false;
    const { service, order, wallet } = await withPaidOrder("WALLET_A", {
      ports: (ports) => {
        const gone = () => errAsync({ name: "storage.unavailable" } as const);
        const markSent: Ports["refunds"]["markSent"] = (...call) =>
          dead ? gone() : ports.refunds.markSent(...call);
        return { ...ports, refunds: { ...ports.refunds, markSent } };
      },
    });
    dead = true;
    expect(await expectFailure(refund(service, order.bizNo))).toMatchObject({ name: "storage.unavailable" });
    const requested = await onlyRefundOf(service, order);
    expect(requested.status).toBe("REQUESTED");
    expect(callsOf(service, "refund")).toBe(0);
    dead = false;
    expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 0 });
    service.host.clock.advance(service.ports.policy.workLease);
    expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 1 });
    expect(await onlyRefundOf(service, order)).toMatchObject({
      refundNo: requested.refundNo,
      status: "CONFIRMED",
    });
    expect(wallet.balance()).toBe(0);
  });

  it("an open refund is processed by one of several concurrent workers", async () => {
    const { service, order, wallet } = await withPaidOrder();
    wallet.failNext("refund", UNKNOWN, "after");
    await expectFailure(refund(service, order.bizNo));
    const queries = callsOf(service, "queryRefund");
    service.host.clock.advance(MINUTE);
    const rounds = await ResultAsync.combine(
      Array.from({ length: 10 }, () => reconcileOrders(service.ports)),
    );
    expect(orThrow(rounds).reduce((sum, { refunds }) => sum + refunds, 0)).toBe(1);
    expect(callsOf(service, "queryRefund")).toBe(queries + 1);
    expect(callsOf(service, "refund")).toBe(1);
  });

  it("only a PAID order of the app itself can be refunded", async () => {
    const service = await start();
    const pending = await created(service, service.demo, aPurchase());
    expect(await expectFailure(refund(service, pending.bizNo))).toEqual({ name: "order.not-paid" });
    const foreign = await created(service, service.second, aPurchase());
    await paid(service, foreign);
    expect(await expectFailure(refund(service, foreign.bizNo))).toEqual({ name: "order.not-found" });
    expect(await expectFailure(refund(service, "b-none"))).toEqual({ name: "order.not-found" });
    expect(await expectFailure(refund(service, pending.bizNo, 0))).toMatchObject({
      name: "parameter.invalid",
    });
    expect(callsOf(service, "refund")).toBe(0);
  });

  it("revokes the service time with a full refund, and not with a partial refund", async () => {
    const service = await start();
    const { demo, serviceTypeNo } = service;
    const order = await created(service, demo, aPurchase({ serviceTypeNo }));
    const expiry = async () => {
      const { data } = await demo.get(`/customerServiceMgmt/${order.customerIdentity}.json`);
      return data;
    };
    await paid(service, order);
    const now = service.host.clock.now();
    const month = { customerServiceList: [{ expireTime: now + 30 * DAY }] };
    expect(await expiry()).toMatchObject(month);
    await expectOk(refund(service, order.bizNo, 100));
    expect(await expiry()).toMatchObject(month);
    await expectOk(refund(service, order.bizNo));
    expect(await expiry()).not.toMatchObject(month);
  });
}
