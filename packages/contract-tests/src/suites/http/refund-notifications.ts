import {
  type Order,
  orThrow,
  PAY_CHANNELS,
  type PayChannel,
  type Ports,
  reconcileOrders,
} from "@tillkit/core";
import { findOrderDifferences, refundOrigin } from "@tillkit/core/operators";
import { outRefundNo } from "@tillkit/core/ports";
import { errAsync, ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { MINUTE, CONCURRENT_CALLERS } from "../../support/fixtures.js";
import { expectFailure, expectOk } from "../../support/open-before-each.js";
import {
  aPurchase,
  created,
  deliver,
  expectRefused,
  expectAccepted,
  onlyRefundOf,
  paid,
  refund,
  refundAtWallet,
  refundsOf,
  storedOrder,
  timelineOf,
  UNKNOWN,
  walletOf,
} from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";

/**
 * Tests refund notifications: each counts once, and a notification that does not match raises an
 * alarm.
 */
export function refundNotificationsContract(start: StartService): void {
  /** Starts a service with a paid order of six yuan. */
  const withPaidOrder = async (payChannel: PayChannel = "WALLET_A") => {
    const service = await start();
    const order = await created(service, service.demo, aPurchase({ payChannel }));
    await paid(service, order);
    return { service, order, wallet: walletOf(service, order) };
  };

  /** Also requests a refund that WALLET_A accepted and did not finish. */
  const withRefundInProcess = async (amount?: number) => {
    const { service, order, wallet } = await withPaidOrder();
    wallet.holdNextRefund();
    const taken = await expectOk(refund(service, order.bizNo, amount));
    return { service, order, wallet, taken, number: outRefundNo(order, taken) };
  };

  it("confirm a refund that was in progress", async () => {
    const { service, order, wallet, taken, number } = await withRefundInProcess();
    expect(taken.status).toBe("SENT");
    expect(await expectFailure(refund(service, order.bizNo))).toEqual({ name: "refund.in-progress" });
    await report(service, order, number);
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 0 });
    wallet.endRefund(order.id, number, "CONFIRMED");
    await report(service, order, number);
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
      paymentStatus: "REFUND",
      refundedAmount: 600,
    });
    expect(service.serviceEvents).toContainEqual({
      type: "order.moved",
      appId: order.appId,
      orderId: order.id,
      from: "PAID",
      to: "REFUND",
    });
  });

  it("end a refund that the wallet could not make, raise one alarm, and release the amount", async () => {
    const { service, order, wallet, number } = await withRefundInProcess();
    wallet.endRefund(order.id, number, "FAILED");
    for (let repeats = 0; repeats < 3; repeats += 1) await report(service, order, number);
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "FAILED" });
    expect(await alarmsOf(service, order)).toEqual(["REFUND_FAILED"]);
    expect(await expectOk(refund(service, order.bizNo))).toMatchObject({ status: "CONFIRMED" });
    expect(wallet.balance()).toBe(0);
  });

  it("are not acknowledged while they cannot be stored, and count when they are repeated", async () => {
    let down = true;
    const service = await start({
      ports: (ports) => {
        const confirm: Ports["refunds"]["confirm"] = (key, refundNo, facts) =>
          down
            ? errAsync({ name: "storage.unavailable", cause: undefined } as const)
            : ports.refunds.confirm(key, refundNo, facts);
        return { ...ports, refunds: { ...ports.refunds, confirm } };
      },
    });
    const order = await created(service, service.demo, aPurchase({ payChannel: "WALLET_A" }));
    await paid(service, order);
    const wallet = walletOf(service, order);
    wallet.holdNextRefund();
    const number = outRefundNo(order, await expectOk(refund(service, order.bizNo)));
    wallet.endRefund(order.id, number, "CONFIRMED");
    const notification = wallet.refundNotificationFor(order.id, number);
    expect((await deliver(service, order, notification)).status).toBe(503);
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
    down = false;
    expectAccepted(service, "WALLET_A", await deliver(service, order, notification));
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
  });

  it("may be lost: the reconciler queries a refund in progress until it has ended", async () => {
    const { service, order, wallet, number } = await withRefundInProcess(200);
    service.host.clock.advance(MINUTE);
    await expectOk(reconcileOrders(service.ports));
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
    wallet.endRefund(order.id, number, "CONFIRMED");
    service.host.clock.advance(4 * MINUTE);
    await expectOk(reconcileOrders(service.ports));
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
    expect(wallet.balance()).toBe(400);
  });

  it("count once, despite concurrent copies", async () => {
    const { service, order, wallet, number } = await withRefundInProcess(200);
    wallet.endRefund(order.id, number, "CONFIRMED");
    const notification = wallet.refundNotificationFor(order.id, number);
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_CALLERS }, () => deliver(service, order, notification)),
    );
    for (const answer of answers) expectAccepted(service, "WALLET_A", answer);
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 200 });
    const confirmed = (await timelineOf(service, order)).filter(({ type }) => type === "REFUND_CONFIRMED");
    expect(confirmed).toHaveLength(1);
    expect(await alarmsOf(service, order)).toEqual([]);
  });

  it("may arrive before the wallet's response to the refund call", async () => {
    const stored: { before?: (refundNo: string) => Promise<void> } = {};
    const service = await start({ ports: (ports) => slowToAnswer(ports, stored) });
    const order = await created(service, service.demo, aPurchase());
    await paid(service, order);
    stored.before = (refundNo) => report(service, order, refundNo);
    expect(await expectOk(refund(service, order.bizNo, 200))).toMatchObject({ status: "CONFIRMED" });
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 200 });
    const confirmed = (await timelineOf(service, order)).filter(({ type }) => type === "REFUND_CONFIRMED");
    expect(confirmed).toHaveLength(1);
  });

  it("confirm a refund whose response was lost, so that the reconciler does not process it again", async () => {
    const { service, order, wallet } = await withPaidOrder();
    wallet.failNext("refund", UNKNOWN, "after");
    await expectFailure(refund(service, order.bizNo));
    const sent = await onlyRefundOf(service, order);
    await report(service, order, outRefundNo(order, sent));
    const { refundNo } = sent;
    expect(await onlyRefundOf(service, order)).toMatchObject({ refundNo, status: "CONFIRMED" });
    service.host.clock.advance(60 * MINUTE);
    expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 0 });
    expect(wallet.balance()).toBe(0);
  });

  it.each([
    ["merchant", { merchantId: "someone-elses-merchant" }],
    ["amount", { amount: 201 }],
  ] as const)("with a wrong %s change nothing and raise one alarm", async (_what, lie) => {
    const { service, order, wallet, number } = await withRefundInProcess(200);
    wallet.endRefund(order.id, number, "CONFIRMED");
    const notification = wallet.refundNotificationFor(order.id, number, lie);
    for (let repeats = 0; repeats < 3; repeats += 1) {
      expectRefused(service, "WALLET_A", await deliver(service, order, notification));
    }
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 0 });
    expect(await alarmsOf(service, order)).toEqual(["MISMATCH"]);
    await report(service, order, number);
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
  });

  it("to another merchant, or of another order, are rejected", async () => {
    const { service, order, wallet, number } = await withRefundInProcess(200);
    const notification = wallet.refundNotificationFor(order.id, number);
    const twin = await created(service, service.second, aPurchase({ bizNo: order.bizNo }));
    expectRefused(service, "WALLET_A", await deliver(service, twin, notification));
    const other = await created(service, service.demo, aPurchase());
    expectRefused(service, "WALLET_A", await deliver(service, other, notification));
    expect(await timelineOf(service, other)).toHaveLength(1);
    expect(await refundsOf(service, twin)).toEqual([]);
  });

  describe.each(PAY_CHANNELS)("of a refund that was made only at %s", (payChannel) => {
    const number = "5030000038202611270001";

    it("adopt it once, after a query, despite repetitions and concurrent copies", async () => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      await refundAtWallet(service, order, number, 600);
      const notification = wallet.refundNotificationFor(order.id, number);
      const answers = await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, () => deliver(service, order, notification)),
      );
      answers.push(await deliver(service, order, notification));
      for (const answer of answers) expectAccepted(service, payChannel, answer);
      const adopted = await onlyRefundOf(service, order);
      expect(adopted).toMatchObject({
        refundNo: `console:${number}`,
        amount: 600,
        status: "CONFIRMED",
        operator: "wallet",
      });
      expect([refundOrigin(adopted), outRefundNo(order, adopted)]).toEqual(["console", number]);
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
        paymentStatus: "REFUND",
        refundedAmount: 600,
      });
      expect((await timelineOf(service, order)).slice(-2)).toMatchObject([
        { type: "REFUND_ADOPTED", actor: "wallet", alarm: false },
        { type: "REFUNDED", from: "PAID", to: "REFUND" },
      ]);
      expect(await alarmsOf(service, order)).toEqual([]);
      expect(await expectOk(findOrderDifferences(service.ports, order))).toEqual([]);
    });

    it("adopt the wallet's part beside a part that Tillkit refunds", async () => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      await refundAtWallet(service, order, number, 400);
      const notification = wallet.refundNotificationFor(order.id, number);
      expectAccepted(service, payChannel, await deliver(service, order, notification));
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
        paymentStatus: "PAID",
        refundedAmount: 400,
      });
      await expectOk(refund(service, order.bizNo));
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
        paymentStatus: "REFUND",
        refundedAmount: 600,
      });
      expect(wallet.balance()).toBe(0);
    });

    it("adopt it after a payment whose notifications were lost", async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase({ payChannel }));
      const wallet = walletOf(service, order);
      wallet.pay(order.id);
      await refundAtWallet(service, order, number, 600);
      const notification = wallet.refundNotificationFor(order.id, number);
      expectAccepted(service, payChannel, await deliver(service, order, notification));
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
        paymentStatus: "REFUND",
        refundedAmount: 600,
      });
    });

    it("are repeated until the wallet answers the query", async () => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      await refundAtWallet(service, order, number, 600);
      wallet.failNext("queryRefund", UNKNOWN);
      const notification = wallet.refundNotificationFor(order.id, number);
      expectRefused(service, payChannel, await deliver(service, order, notification));
      expect(await refundsOf(service, order)).toEqual([]);
      expect(await alarmsOf(service, order)).toEqual([]);
      expectAccepted(service, payChannel, await deliver(service, order, notification));
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
    });

    it("restore the number of a refund of Tillkit that storage has lost", async () => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      const lost = outRefundNo(order, { refundNo: "case-7" });
      await refundAtWallet(service, order, lost, 200);
      const notification = wallet.refundNotificationFor(order.id, lost);
      expectAccepted(service, payChannel, await deliver(service, order, notification));
      expect(await onlyRefundOf(service, order)).toMatchObject({ refundNo: "case-7", status: "CONFIRMED" });
      expect(await expectOk(refund(service, order.bizNo, 200, "case-7"))).toMatchObject({ amount: 200 });
      expect(wallet.balance()).toBe(400);
    });
  });

  it("of a refund that the wallet does not have change nothing, and raise one alarm", async () => {
    const { service, order, wallet } = await withPaidOrder();
    await refundAtWallet(service, order, "5030", 600);
    const notification = wallet.refundNotificationFor(order.id, "5030", { refundNo: "5031" });
    for (let repeats = 0; repeats < 3; repeats += 1)
      expectRefused(service, "WALLET_A", await deliver(service, order, notification));
    expect(await refundsOf(service, order)).toEqual([]);
    expect(await alarmsOf(service, order)).toEqual(["UNKNOWN_REFUND"]);
  });

  it.each(PAY_CHANNELS)(
    "of %s that repeat stored facts are accepted, and raise no alarm",
    async (payChannel) => {
      const { service, order, wallet } = await withPaidOrder(payChannel);
      const made = await expectOk(refund(service, order.bizNo));
      const before = await timelineOf(service, order);
      const notification = wallet.refundNotificationFor(order.id, outRefundNo(order, made));
      const repeated = await ResultAsync.fromSafePromise(deliver(service, order, notification));
      expectAccepted(service, payChannel, orThrow(repeated));
      expect(await timelineOf(service, order)).toEqual(before);
    },
  );

  describe("that a refund failed,", () => {
    it("after it was confirmed, change nothing and raise an alarm", async () => {
      const { service, order, wallet } = await withPaidOrder();
      const number = outRefundNo(order, await expectOk(refund(service, order.bizNo, 200)));
      const notification = wallet.refundNotificationFor(order.id, number, { state: "FAILED" });
      await deliver(service, order, notification);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 200 });
      expect(await alarmsOf(service, order)).toEqual(["MISMATCH"]);
    });
  });
}

/** Delivers the wallet's notification of a refund and expects that it is accepted. */
async function report(service: Service, order: Order, refundNo: string): Promise<void> {
  const notification = walletOf(service, order).refundNotificationFor(order.id, refundNo);
  expectAccepted(service, order.payChannel, await deliver(service, order, notification));
}

async function alarmsOf(service: Service, order: Order) {
  const events = await timelineOf(service, order);
  return events.filter(({ alarm }) => alarm).map(({ type }) => type);
}

/** Wraps WALLET_A so that it runs `held.before` between a refund and its response. */
function slowToAnswer(
  ports: Ports,
  stored: { readonly before?: (refundNo: string) => Promise<void> },
): Ports {
  const usual = ports.wallets.WALLET_A;
  const WALLET_A: Ports["wallets"]["WALLET_A"] = {
    ...usual,
    refund: (account, request, limits) =>
      usual
        .refund(account, request, limits)
        .andThen((made) =>
          ResultAsync.fromSafePromise(stored.before?.(request.refundNo) ?? Promise.resolve()).map(() => made),
        ),
  };
  return { ...ports, wallets: { ...ports.wallets, WALLET_A } };
}
