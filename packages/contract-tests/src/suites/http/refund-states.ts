import {
  type Order,
  PAY_CHANNELS,
  type PayChannel,
  type Ports,
  reconcileOrders,
  type Wallet,
} from "@tillkit/core";
import { outRefundNo } from "@tillkit/core/ports";
import { ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { anEntry, DAY, MINUTE, CONCURRENT_CALLERS } from "../../support/fixtures.js";
import { expectFailure, expectOk } from "../../support/open-before-each.js";
import {
  aPurchase,
  callsOf,
  created,
  deliver,
  expectAccepted,
  onlyRefundOf,
  paid,
  payOut,
  payOutAtWallet,
  REJECTED,
  refund,
  refundsOf,
  settle,
  storedOrder,
  timelineOf,
  UNKNOWN,
  walletOf,
} from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";

const HOUR = 60 * MINUTE;
const NUMBER = "case-1";
const CARD = { bankType: "CMB_DEBIT", bankAccount: "6225880137395123", realName: "Li Lei" } as const;

/**
 * Tests refunds that do not end at once.
 *
 * Each has a visible state, raises an alarm if a person must act, and ends.
 */
export function refundStatesContract(start: StartService): void {
  /** Starts a service with a paid order of six yuan. */
  const withPaidOrder = async (payChannel: PayChannel = "WALLET_A") => {
    const service = await start();
    const order = await created(service, service.demo, aPurchase({ payChannel }));
    await paid(service, order);
    const ask = (amount?: number, refundNo: string = NUMBER) =>
      refund(service, order.bizNo, amount, refundNo);
    return { service, order, wallet: walletOf(service, order), ask };
  };

  /** Also requests a refund that WALLET_A accepted and did not finish. */
  const withRefundInProcess = async (amount?: number) => {
    const fixture = await withPaidOrder();
    fixture.wallet.holdNextRefund();
    const taken = await expectOk(fixture.ask(amount));
    return { ...fixture, taken, number: outRefundNo(fixture.order, taken) };
  };

  /** Also makes this refund ABNORMAL at WALLET_A. */
  const withAbnormalRefund = async (amount?: number) => {
    const fixture = await withRefundInProcess(amount);
    // After a minute, no process still claims the refund.
    fixture.service.host.clock.advance(MINUTE);
    fixture.wallet.endRefund(fixture.order.id, fixture.number, "ABNORMAL");
    await report(fixture.service, fixture.order, fixture.number);
    const { service, order } = fixture;
    return {
      ...fixture,
      toCustomer: () => payOut(service, order.bizNo, { refundNo: NUMBER, payTo: "customer", ...CARD }),
      toMerchant: () => payOut(service, order.bizNo, { refundNo: NUMBER, payTo: "merchant" }),
      settled: () => settle(service, order.bizNo, NUMBER),
    };
  };

  describe.each(PAY_CHANNELS)("a refund that the merchant's balance cannot pay, at %s,", (payChannel) => {
    it("waits with one alarm, and is made under the same number after a top-up", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      wallet.setOutOfFunds(true);
      expect(await expectOk(ask(400))).toMatchObject({ refundNo: NUMBER, status: "WAITING_FOR_FUNDS" });
      for (let hours = 0; hours < 30; hours += 1) await pass(service, HOUR);
      expect(await expectOk(ask(400))).toMatchObject({ status: "WAITING_FOR_FUNDS" });
      expect(await alarmsOf(service, order)).toEqual(["REFUND_WAITING_FOR_FUNDS"]);
      expect(service.serviceEvents.filter(({ type }) => type === "order.alarm")).toHaveLength(1);
      expect(wallet.balance()).toBe(600);
      wallet.setOutOfFunds(false);
      await pass(service, DAY);
      expect(await onlyRefundOf(service, order)).toMatchObject({ refundNo: NUMBER, status: "CONFIRMED" });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 400 });
      expect(wallet.balance()).toBe(200);
      expect(await alarmsOf(service, order)).toEqual(["REFUND_WAITING_FOR_FUNDS"]);
    });

    it("reserves its amount, and blocks no other refund", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      wallet.setOutOfFunds(true);
      await expectOk(ask(400));
      wallet.setOutOfFunds(false);
      expect(await expectFailure(ask(201, "case-2"))).toEqual({
        name: "refund.exceeds-remaining",
        remaining: 200,
      });
      expect(await expectOk(ask(undefined, "case-2"))).toMatchObject({ amount: 200, status: "CONFIRMED" });
      expect(await expectFailure(ask(undefined, "case-3"))).toEqual({
        name: "refund.exceeds-remaining",
        remaining: 0,
      });
      await pass(service, DAY);
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
        paymentStatus: "REFUND",
        refundedAmount: 600,
      });
      expect(wallet.balance()).toBe(0);
    });

    it("is made once, although many operators and workers try after the top-up", async () => {
      const { service, wallet, ask } = await withPaidOrder(payChannel);
      wallet.setOutOfFunds(true);
      await expectOk(ask(400));
      wallet.setOutOfFunds(false);
      service.host.clock.advance(DAY);
      await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, async (_, caller) =>
          caller % 2 === 0 ? expectOk(ask(400)) : expectOk(reconcileOrders(service.ports)),
        ),
      );
      expect(wallet.balance()).toBe(200);
    });
  });

  describe.each(PAY_CHANNELS)("a refund that failed, at %s,", (payChannel) => {
    it("is never sent again, at any later time by any caller", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      wallet.failNext("refund", REJECTED);
      expect(await expectFailure(ask(400))).toEqual({ name: "refund.rejected" });
      const events = await timelineOf(service, order);
      for (let days = 0; days < 5; days += 1) {
        expect(await expectFailure(ask(400))).toEqual({ name: "refund.rejected" });
        await pass(service, DAY);
      }
      expect(callsOf(service, "refund")).toBe(1);
      expect(await timelineOf(service, order)).toEqual(events);
      expect(wallet.balance()).toBe(600);
    });

    it("is not sent again by a worker that read it before it failed", async () => {
      const hook: { duringQuery?: () => Promise<void> } = {};
      const service = await start({ ports: (ports) => slowToKnow(ports, payChannel, hook) });
      const order = await created(service, service.demo, aPurchase({ payChannel }));
      await paid(service, order);
      walletOf(service, order).failNext("refund", UNKNOWN);
      await expectFailure(refund(service, order.bizNo, 400, NUMBER));
      hook.duringQuery = async () => {
        const { clock, refunds } = service.host;
        const entry = anEntry({ type: "REFUND_FAILED", at: clock.now() });
        await expectOk(refunds.reject(order, NUMBER, clock.now(), entry));
      };
      const queries = callsOf(service, "queryRefund");
      await pass(service, MINUTE);
      expect(callsOf(service, "queryRefund")).toBe(queries + 1);
      expect(callsOf(service, "refund")).toBe(1);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "FAILED" });
      expect(walletOf(service, order).balance()).toBe(600);
    });

    it("may be settled by other means once, and its amount then counts as refunded", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      wallet.failNext("refund", REJECTED);
      await expectFailure(ask());
      const settling = () => settle(service, order.bizNo, NUMBER);
      expect(await expectOk(settling())).toMatchObject({ refundNo: NUMBER, status: "SETTLED", amount: 600 });
      expect(await expectOk(settling())).toMatchObject({ status: "SETTLED" });
      expect(await expectOk(ask())).toMatchObject({ status: "SETTLED" });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
        paymentStatus: "REFUND",
        refundedAmount: 600,
      });
      const events = (await timelineOf(service, order)).slice(-2);
      expect(events.map(({ type, actor }) => [type, actor])).toEqual([
        ["REFUND_SETTLED", "operator:kim"],
        ["REFUNDED", "operator:kim"],
      ]);
      expect(events[0]?.reason).toBe("in cash");
      expect(service.serviceEvents).toContainEqual({
        type: "refund.moved",
        appId: order.appId,
        orderId: order.id,
        refundNo: NUMBER,
        to: "SETTLED",
        amount: 600,
      });
      expect(callsOf(service, "refund")).toBe(1);
      expect(wallet.balance()).toBe(600);
    });

    it("is not settled if another refund has used the money", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      wallet.failNext("refund", REJECTED);
      await expectFailure(ask(400));
      await expectOk(ask(300, "case-2"));
      expect(await expectFailure(settle(service, order.bizNo, NUMBER))).toEqual({
        name: "refund.exceeds-remaining",
        remaining: 300,
      });
    });
  });

  describe.each(PAY_CHANNELS)("a refund whose response was lost, at %s,", (payChannel) => {
    it("is queried, and not sent again if the wallet has a record of it", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      wallet.failNext("refund", UNKNOWN, "after");
      await expectFailure(ask());
      const queries = callsOf(service, "queryRefund");
      await pass(service, MINUTE);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
      expect(callsOf(service, "refund")).toBe(1);
      expect(callsOf(service, "queryRefund")).toBe(queries + 1);
      expect(wallet.balance()).toBe(0);
    });

    it("is never sent while the wallet does not answer queries about it", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      wallet.failNext("refund", UNKNOWN);
      await expectFailure(ask());
      for (let rounds = 0; rounds < 6; rounds += 1) {
        wallet.failNext("queryRefund", UNKNOWN);
        await pass(service, HOUR);
      }
      expect(callsOf(service, "refund")).toBe(1);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
      expect(wallet.balance()).toBe(600);
    });

    it("is queried after twice the usual pause if the wallet reports too many calls", async () => {
      const { service, wallet, ask } = await withPaidOrder(payChannel);
      wallet.failNext("refund", { ...UNKNOWN, cause: "rate-limited" });
      await expectFailure(ask());
      const queries = callsOf(service, "queryRefund");
      await pass(service, MINUTE);
      expect(callsOf(service, "queryRefund")).toBe(queries);
      await pass(service, MINUTE);
      expect(callsOf(service, "queryRefund")).toBe(queries + 1);
    });
  });

  describe("a refund that is in progress for days", () => {
    it("is queried by the schedule and never sent again, raises one alarm, and ends", async () => {
      const { service, order, wallet, number } = await withRefundInProcess();
      const requests: number[] = [];
      for (let days = 0; days < 7; days += 1) {
        const before = callsOf(service, "queryRefund");
        for (let quarters = 0; quarters < 4 * 24; quarters += 1) await pass(service, 15 * MINUTE);
        requests.push(callsOf(service, "queryRefund") - before);
      }
      // The wallet is queried after 15 and 30 minutes, then every hour for a day, then once a day.
      expect(requests).toEqual([26, 1, 1, 1, 1, 1, 1]);
      expect(callsOf(service, "refund")).toBe(1);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
      expect(await alarmsOf(service, order)).toEqual(["REFUND_OVERDUE"]);
      wallet.endRefund(order.id, number, "CONFIRMED");
      await pass(service, DAY);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
      expect(wallet.balance()).toBe(0);
    });
  });

  describe("an abnormal refund", () => {
    it.each(["a notification", "a query"] as const)("is found by %s and raises one alarm", async (how) => {
      const { service, order, wallet, number } = await withRefundInProcess(400);
      wallet.endRefund(order.id, number, "ABNORMAL");
      if (how === "a query") await pass(service, MINUTE);
      else for (let repeats = 0; repeats < 3; repeats += 1) await report(service, order, number);
      for (let days = 0; days < 9; days += 1) await pass(service, DAY);
      const abnormal = await onlyRefundOf(service, order);
      expect(abnormal.status).toBe("ABNORMAL");
      expect(abnormal.walletRefundNo).toMatch(/./);
      expect(await alarmsOf(service, order)).toEqual(["REFUND_ABNORMAL"]);
      expect(callsOf(service, "refund")).toBe(1);
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
        paymentStatus: "PAID",
        refundedAmount: 0,
      });
    });

    it("reserves its amount, and blocks no other refund", async () => {
      const { ask } = await withAbnormalRefund(400);
      expect(await expectFailure(ask(201, "case-2"))).toEqual({
        name: "refund.exceeds-remaining",
        remaining: 200,
      });
      expect(await expectOk(ask(undefined, "case-2"))).toMatchObject({ amount: 200, status: "CONFIRMED" });
    });

    it("is paid out to a card of the customer, which no store, event or timeline contains", async () => {
      const { service, order, wallet, number, toCustomer } = await withAbnormalRefund();
      expect(await expectOk(toCustomer())).toMatchObject({ refundNo: NUMBER, status: "SENT" });
      await pass(service, MINUTE);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
      wallet.endRefund(order.id, number, "CONFIRMED");
      await report(service, order, number);
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({
        paymentStatus: "REFUND",
        refundedAmount: 600,
      });
      const events = await timelineOf(service, order);
      const payout = events.find(({ type }) => type === "REFUND_PAYOUT");
      expect(payout).toMatchObject({ actor: "operator:kim", alarm: false });
      expect(payout).toMatchObject({ reason: "their card was closed" });
      expect(payout?.details).toContain('"to":"customer"');
      const all = JSON.stringify([events, await refundsOf(service, order), service.serviceEvents]);
      expect(all).not.toContain(CARD.bankAccount);
      expect(all).not.toContain(CARD.realName);
    });

    it("is paid out to the merchant, with an alarm that the customer has not been paid", async () => {
      const { service, order, wallet, number, toMerchant } = await withAbnormalRefund();
      await expectOk(toMerchant());
      wallet.endRefund(order.id, number, "CONFIRMED");
      await report(service, order, number);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
      expect(await alarmsOf(service, order)).toEqual(["REFUND_ABNORMAL", "REFUND_CONFIRMED"]);
    });

    it("is paid out once, despite many operators, and never together with a settlement", async () => {
      const { service, order, toCustomer, settled } = await withAbnormalRefund();
      const results = await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, async (_, caller) => {
          const made = caller % 2 === 0 ? await toCustomer() : await settled();
          return made.isOk() ? made.value.status : made.error.name;
        }),
      );
      const { status } = await onlyRefundOf(service, order);
      const payouts = callsOf(service, "applyAbnormalRefund");
      expect([status, payouts]).toEqual(status === "SETTLED" ? ["SETTLED", 0] : ["SENT", 1]);
      for (const result of results) expect([status, "refund.status-conflict"]).toContain(result);
    });

    it("becomes ABNORMAL again with another alarm if the wallet refuses the card, and may be paid out again", async () => {
      const { service, order, wallet, toCustomer } = await withAbnormalRefund();
      wallet.failNext("applyAbnormalRefund", { ...REJECTED, detail: "no such card" });
      expect(await expectFailure(toCustomer())).toEqual({ name: "refund.payout-rejected" });
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "ABNORMAL" });
      const refused = (await timelineOf(service, order)).find(({ type }) => type === "REFUND_PAYOUT_REFUSED");
      expect(refused?.details).toContain("no such card");
      expect(await alarmsOf(service, order)).toEqual(["REFUND_ABNORMAL", "REFUND_ABNORMAL"]);
      expect(await expectOk(toCustomer())).toMatchObject({ status: "SENT" });
    });

    it.each(["before", "after"] as const)(
      "is queried if the outcome of a payout is unknown: the call fails %s its effect",
      async (when) => {
        const { service, order, wallet, number, toCustomer, settled } = await withAbnormalRefund();
        wallet.failNext("applyAbnormalRefund", UNKNOWN, when);
        expect(await expectFailure(toCustomer())).toEqual({ name: "refund.outcome-unknown" });
        expect(await expectFailure(settled())).toEqual({ name: "refund.status-conflict", status: "SENT" });
        // A repeated old notification must not hide that an operator has acted.
        const old = wallet.refundNotificationFor(order.id, number, { state: "ABNORMAL" });
        expectAccepted(service, "WALLET_A", await deliver(service, order, old));
        expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
        await pass(service, MINUTE);
        expect((await onlyRefundOf(service, order)).status).toBe(when === "before" ? "ABNORMAL" : "SENT");
      },
    );

    it("may be settled by other means, and a later confirmation changes no sum and raises one alarm", async () => {
      const { service, order, wallet, number, settled } = await withAbnormalRefund(400);
      expect(await expectOk(settled())).toMatchObject({ status: "SETTLED" });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 400 });
      const confirmation = wallet.refundNotificationFor(order.id, number, { state: "CONFIRMED" });
      for (let repeats = 0; repeats < 3; repeats += 1)
        expectAccepted(service, "WALLET_A", await deliver(service, order, confirmation));
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SETTLED" });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 400 });
      expect(await alarmsOf(service, order)).toEqual(["REFUND_ABNORMAL", "REFUND_PAID_TWICE"]);
    });

    it("is not settled while the wallet pays it out as the merchant asked in the wallet's console", async () => {
      const { service, order, wallet, number, settled } = await withAbnormalRefund(400);
      await payOutAtWallet(service, order, await onlyRefundOf(service, order));
      const conflict = { name: "refund.status-conflict", status: "SENT" };
      for (let times = 0; times < 2; times += 1) expect(await expectFailure(settled())).toEqual(conflict);
      wallet.endRefund(order.id, number, "CONFIRMED");
      await pass(service, DAY);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
      expect(await alarmsOf(service, order)).toEqual(["REFUND_ABNORMAL"]);
    });

    it("is not settled or paid out in another status, or through another order or app", async () => {
      const { service, order, taken } = await withRefundInProcess();
      const foreign = await created(service, service.second, aPurchase());
      await paid(service, foreign);
      const settling = async (bizNo: string, refundNo: string) =>
        expectFailure(settle(service, bizNo, refundNo));
      const payingOut = async (bizNo: string, refundNo: string) =>
        expectFailure(payOut(service, bizNo, { refundNo, payTo: "merchant" }));
      for (const failing of [settling, payingOut]) {
        expect(await failing(order.bizNo, NUMBER)).toEqual({
          name: "refund.status-conflict",
          status: taken.status,
        });
        expect(await failing(order.bizNo, "case-9")).toEqual({ name: "refund.not-found" });
        expect(await failing("b-none", NUMBER)).toEqual({ name: "order.not-found" });
        expect(await failing(foreign.bizNo, NUMBER)).toEqual({ name: "order.not-found" });
      }
    });
  });

  it.each(["2", "-2", "0"])(
    "a refund is identified by its whole number, not by a prefix: %s",
    async (more) => {
      const { service, order, wallet, number } = await withRefundInProcess(200);
      wallet.endRefund(order.id, number, "CONFIRMED");
      const another = wallet.refundNotificationFor(order.id, number, { refundNo: `${number}${more}` });
      await deliver(service, order, another);
      const shorter = wallet.refundNotificationFor(order.id, number, { refundNo: number.slice(0, -1) });
      await deliver(service, order, shorter);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 0 });
      expect(await alarmsOf(service, order)).toEqual(["UNKNOWN_REFUND", "UNKNOWN_REFUND"]);
    },
  );
}

/** Returns ports that run `hook.duringQuery` between a refund query and its response. */
function slowToKnow(
  ports: Ports,
  payChannel: PayChannel,
  hook: { readonly duringQuery?: () => Promise<void> },
): Ports {
  const usual = ports.wallets[payChannel];
  const slow: Wallet = {
    ...usual,
    queryRefund: (...refundRequest) =>
      usual
        .queryRefund(...refundRequest)
        .andThen((known) =>
          ResultAsync.fromSafePromise(hook.duringQuery?.() ?? Promise.resolve()).map(() => known),
        ),
  };
  return { ...ports, wallets: { ...ports.wallets, [payChannel]: slow } };
}

/** Advances the clock and runs the reconciler once. */
async function pass(service: Service, ms: number): Promise<void> {
  service.host.clock.advance(ms);
  await expectOk(reconcileOrders(service.ports));
}

/** Delivers the wallet's notification of a refund and expects that it is accepted. */
async function report(service: Service, order: Order, refundNo: string): Promise<void> {
  const notification = walletOf(service, order).refundNotificationFor(order.id, refundNo);
  expectAccepted(service, order.payChannel, await deliver(service, order, notification));
}

async function alarmsOf(service: Service, order: Order): Promise<readonly string[]> {
  const events = await timelineOf(service, order);
  return events.filter(({ alarm }) => alarm).map(({ type }) => type);
}
