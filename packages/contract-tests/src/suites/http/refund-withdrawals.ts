import { type Order, PAY_CHANNELS, type PayChannel, reconcileOrders } from "@tillkit/core";
import { findOrderDifferences } from "@tillkit/core/operators";
import { outRefundNo } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { aFoundException, aWithdrawal, CONCURRENT_CALLERS, DAY, MINUTE } from "../../support/fixtures.js";
import { expectFailure, expectOk, race } from "../../support/open-before-each.js";
import {
  adopt,
  aPurchase,
  callsOf,
  created,
  deliver,
  onlyRefundOf,
  paid,
  refund,
  refundAtWallet,
  REJECTED,
  settle,
  storedOrder,
  timelineOf,
  UNKNOWN,
  walletOf,
  withdraw,
} from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";

const NUMBER = "case-1";

/** Tests refunds that an operator ends because the wallet does not have them or does not answer. */
export function refundWithdrawalsContract(start: StartService): void {
  const withPaidOrder = async (payChannel: PayChannel = "WALLET_A") => {
    const service = await start();
    const order = await created(service, service.demo, aPurchase({ payChannel }));
    await paid(service, order);
    return { service, order, wallet: walletOf(service, order) };
  };
  /** Also requests a refund that waits for funds, and lets its call end. */
  const withWaitingRefund = async (payChannel?: PayChannel) => {
    const fixture = await withPaidOrder(payChannel);
    const { service, order, wallet } = fixture;
    wallet.setOutOfFunds(true);
    await expectOk(refund(service, order.bizNo, 400, NUMBER));
    service.host.clock.advance(MINUTE);
    return fixture;
  };
  /** Also requests a refund whose answer was lost. */
  const withLostAnswer = async (when: "before" | "after") => {
    const fixture = await withPaidOrder();
    const { service, order, wallet } = fixture;
    wallet.failNext("refund", UNKNOWN, when);
    await expectFailure(refund(service, order.bizNo, 400, NUMBER));
    return fixture;
  };
  const stored = (service: Service, { bizNo }: Order) => storedOrder(service, service.demo, bizNo);

  describe.each(PAY_CHANNELS)("a refund that waits for funds at %s, and is withdrawn,", (payChannel) => {
    it("is never sent again, also after a top-up, and can be settled", async () => {
      const { service, order, wallet } = await withWaitingRefund(payChannel);
      expect(await expectOk(withdraw(service, order.bizNo, NUMBER))).toMatchObject({ status: "WITHDRAWN" });
      const sends = callsOf(service, "refund");
      wallet.setOutOfFunds(false);
      for (let days = 0; days < 3; days += 1) {
        service.host.clock.advance(DAY);
        await expectOk(reconcileOrders(service.ports));
        expect(await expectFailure(refund(service, order.bizNo, 400, NUMBER))).toEqual({
          name: "refund.withdrawn",
        });
      }
      expect(callsOf(service, "refund")).toBe(sends);
      expect(wallet.balance()).toBe(600);
      expect(await expectOk(settle(service, order.bizNo, NUMBER))).toMatchObject({ status: "SETTLED" });
      expect(await stored(service, order)).toMatchObject({ paymentStatus: "PAID", refundedAmount: 400 });
      expect(await expectOk(findOrderDifferences(service.ports, order))).toEqual([]);
    });

    it("releases its amount for a refund with another number", async () => {
      const { service, order, wallet } = await withWaitingRefund(payChannel);
      await expectOk(withdraw(service, order.bizNo, NUMBER));
      expect(await expectOk(findOrderDifferences(service.ports, order))).toEqual([]);
      wallet.setOutOfFunds(false);
      expect(await expectOk(refund(service, order.bizNo, 600, "case-2"))).toMatchObject({
        status: "CONFIRMED",
      });
      expect(wallet.balance()).toBe(0);
    });

    it(`ends once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
      const { service, order } = await withWaitingRefund(payChannel);
      const answers = await race(CONCURRENT_CALLERS, () => withdraw(service, order.bizNo, NUMBER));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["WITHDRAWN"]));
      const events = (await timelineOf(service, order)).filter(({ type }) => type === "REFUND_WITHDRAWN");
      expect(events).toMatchObject([{ actor: "operator:kim", reason: "paid in cash", alarm: false }]);
    });

    it("never moves money twice while workers send it at the same time", async () => {
      const { service, order, wallet } = await withWaitingRefund(payChannel);
      wallet.setOutOfFunds(false);
      service.host.clock.advance(DAY);
      await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, async (_, caller) =>
          caller % 2 === 0 ? withdraw(service, order.bizNo, NUMBER) : reconcileOrders(service.ports),
        ),
      );
      const { status } = await onlyRefundOf(service, order);
      expect(["WITHDRAWN", "CONFIRMED"]).toContain(status);
      expect(wallet.balance()).toBe(status === "WITHDRAWN" ? 600 : 200);
    });
  });

  it("is not withdrawn while its call may still run", async () => {
    const { service, order } = await withLostAnswer("before");
    expect(await expectFailure(withdraw(service, order.bizNo, NUMBER))).toEqual({
      name: "refund.outcome-unknown",
    });
    service.host.clock.advance(MINUTE);
    expect(await expectOk(withdraw(service, order.bizNo, NUMBER))).toMatchObject({ status: "WITHDRAWN" });
  });

  it("is not withdrawn if the wallet has it, and then counts", async () => {
    const { service, order } = await withLostAnswer("after");
    service.host.clock.advance(MINUTE);
    expect(await expectFailure(withdraw(service, order.bizNo, NUMBER))).toEqual({
      name: "refund.status-conflict",
      status: "CONFIRMED",
    });
    expect(await stored(service, order)).toMatchObject({ refundedAmount: 400 });
  });

  it.each([
    ["no answer", UNKNOWN, "wallet-a.unavailable"],
    ["a refusal", REJECTED, "wallet-a.rejected"],
    ["an unsigned absence", { ...REJECTED, reason: "absent", trusted: false }, "wallet-a.bad-answer"],
  ] as const)("is not withdrawn after %s", async (_, failure, name) => {
    const { service, order, wallet } = await withWaitingRefund();
    wallet.failNext("queryRefund", failure);
    expect(await expectFailure(withdraw(service, order.bizNo, NUMBER))).toMatchObject({ name });
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "WAITING_FOR_FUNDS" });
  });

  it("raises an alarm and counts if the wallet pays it after all", async () => {
    const { service, order, wallet } = await withLostAnswer("before");
    service.host.clock.advance(MINUTE);
    const withdrawn = await expectOk(withdraw(service, order.bizNo, NUMBER));
    const account = await expectOk(service.host.payTools.find(order.payToolId));
    if (account === undefined) throw new Error("There is no pay tool.");
    const number = outRefundNo(order, withdrawn);
    const request = { outTradeNo: order.id, refundNo: number, amount: 400, orderAmount: 600 };
    await expectOk(wallet.refund(account, { ...request, reason: "", notifyUrl: "" }, { deadline: 1_000 }));
    await deliver(service, order, wallet.refundNotificationFor(order.id, number));
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
    expect((await timelineOf(service, order)).at(-1)).toMatchObject({
      type: "REFUND_CONFIRMED",
      alarm: true,
      details: JSON.stringify({ amount: 400, afterWithdrawal: true }),
    });
  });

  it("raises the alarm also if it is withdrawn while the wallet's confirmation is applied", async () => {
    const { service, order } = await withLostAnswer("after");
    service.host.clock.advance(MINUTE);
    const { refunds } = service.ports;
    let confirmations = 0;
    const confirm: typeof refunds.confirm = (key, refundNo, confirmation) => {
      confirmations += 1;
      if (confirmations > 1) return refunds.confirm(key, refundNo, confirmation);
      const withdrawal = aWithdrawal({ queriedAt: service.host.clock.now() });
      return refunds
        .withdraw(order, NUMBER, withdrawal)
        .andThen(() => refunds.confirm(key, refundNo, confirmation));
    };
    const ports = { ...service.ports, refunds: { ...refunds, confirm } };
    const number = outRefundNo(order, await onlyRefundOf(service, order));
    await expectOk(adopt({ ...service, ports }, order.bizNo, number));
    expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
    expect((await timelineOf(service, order)).at(-1)).toMatchObject({
      type: "REFUND_CONFIRMED",
      alarm: true,
      details: JSON.stringify({ amount: 400, afterWithdrawal: true }),
    });
  });

  it.each(["WITHDRAWN", "SETTLED"] as const)(
    "raises one alarm if the wallet reports that it is making a refund that is %s",
    async (status) => {
      const { service, order, wallet } = await withLostAnswer("before");
      service.host.clock.advance(MINUTE);
      if (status === "SETTLED") await expectOk(settle(service, order.bizNo, NUMBER));
      else await expectOk(withdraw(service, order.bizNo, NUMBER));
      const ended = await onlyRefundOf(service, order);
      const account = await expectOk(service.host.payTools.find(order.payToolId));
      if (account === undefined) throw new Error("There is no pay tool.");
      const number = outRefundNo(order, ended);
      const request = { outTradeNo: order.id, refundNo: number, amount: 400, orderAmount: 600 };
      wallet.holdNextRefund();
      await expectOk(wallet.refund(account, { ...request, reason: "", notifyUrl: "" }, { deadline: 1_000 }));
      for (let times = 0; times < 2; times += 1)
        expect((await adopt(service, order.bizNo, number)).isOk()).toBe(status === "SETTLED");
      expect(await onlyRefundOf(service, order)).toMatchObject({ status });
      const alarms = (await timelineOf(service, order)).filter(({ alarm }) => alarm);
      expect(alarms).toMatchObject([
        { type: "MISMATCH", details: JSON.stringify({ about: "processing-after-end", status }) },
      ]);
    },
  );

  describe("a SENT refund about which the wallet cannot be asked any more", () => {
    const withRevokedKeys = async (age: number) => {
      const fixture = await withLostAnswer("after");
      fixture.service.host.clock.advance(age);
      fixture.wallet.failNext("queryRefund", REJECTED);
      return fixture;
    };

    it("is withdrawn if the refunds that the wallet confirmed leave too little for it", async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase());
      await paid(service, order);
      const wallet = walletOf(service, order);
      const lost = async (refundNo: string, amount: number) => {
        wallet.failNext("refund", UNKNOWN, "before");
        await expectFailure(refund(service, order.bizNo, amount, refundNo));
        service.host.clock.advance(MINUTE);
      };
      await lost(NUMBER, 300);
      const withdrawing = () => {
        wallet.failNext("queryRefund", REJECTED);
        return withdraw(service, order.bizNo, NUMBER);
      };
      await refundAtWallet(service, order, "console-1", 300);
      await expectOk(adopt(service, order.bizNo, "console-1"));
      expect(await expectFailure(withdrawing())).toMatchObject({ name: "wallet-a.rejected" });
      await refundAtWallet(service, order, "console-2", 1);
      await expectOk(adopt(service, order.bizNo, "console-2"));
      service.host.clock.advance(6 * DAY);
      wallet.failNext("queryRefund", REJECTED);
      const settling = settle(service, order.bizNo, NUMBER, "console, line 3");
      expect(await expectFailure(settling)).toMatchObject({ name: "refund.exceeds-remaining" });
      expect(await expectOk(withdrawing())).toMatchObject({ status: "WITHDRAWN" });
      const events = await expectOk(service.ports.orders.timeline(order));
      expect(events.at(-1)).toMatchObject({
        type: "REFUND_WITHDRAWN",
        details: JSON.stringify({ amount: 300, isInferred: true }),
      });
      expect(await expectOk(findOrderDifferences(service.ports, order))).toEqual([]);
      expect(await expectOk(refund(service, order.bizNo, 299, "case-2"))).toMatchObject({
        status: "CONFIRMED",
      });
    });

    it("can be settled with an operator's evidence once it is overdue, and then blocks no other refund", async () => {
      const { service, order, wallet } = await withRevokedKeys(6 * DAY);
      expect(await expectFailure(settle(service, order.bizNo, NUMBER))).toEqual({
        name: "parameter.missing",
        parameter: "evidence",
      });
      wallet.failNext("queryRefund", REJECTED);
      const evidence = "console, refund list of 2026-01-15, line 3";
      expect(await expectOk(settle(service, order.bizNo, NUMBER, evidence))).toMatchObject({
        status: "SETTLED",
      });
      expect((await timelineOf(service, order)).at(-1)).toMatchObject({
        type: "REFUND_SETTLED",
        reason: `in cash; ${evidence}`,
        details: JSON.stringify({ amount: 400, isUnproven: true }),
      });
      expect(await expectOk(refund(service, order.bizNo, 200, "case-2"))).toMatchObject({
        status: "CONFIRMED",
      });
    });

    it("cannot be settled before it is overdue", async () => {
      const { service, order } = await withRevokedKeys(DAY);
      expect(await expectFailure(settle(service, order.bizNo, NUMBER, "console"))).toEqual({
        name: "refund.outcome-unknown",
      });
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
    });

    it("raises an alarm if the wallet reports later that it paid the refund too", async () => {
      const { service, order, wallet } = await withRevokedKeys(6 * DAY);
      await expectOk(settle(service, order.bizNo, NUMBER, "console"));
      const number = outRefundNo(order, await onlyRefundOf(service, order));
      await deliver(service, order, wallet.refundNotificationFor(order.id, number));
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SETTLED" });
      expect((await timelineOf(service, order)).at(-1)).toMatchObject({
        type: "REFUND_PAID_TWICE",
        alarm: true,
      });
    });
  });

  describe.each(PAY_CHANNELS)("a refund that waits for funds at %s, and is settled,", (payChannel) => {
    it("needs no evidence if the wallet signs that it has no such refund, and is never sent again", async () => {
      const { service, order, wallet } = await withWaitingRefund(payChannel);
      expect(await expectOk(settle(service, order.bizNo, NUMBER))).toMatchObject({ status: "SETTLED" });
      const sends = callsOf(service, "refund");
      wallet.setOutOfFunds(false);
      service.host.clock.advance(DAY);
      await expectOk(reconcileOrders(service.ports));
      expect(await expectOk(refund(service, order.bizNo, 400, NUMBER))).toMatchObject({ status: "SETTLED" });
      expect(callsOf(service, "refund")).toBe(sends);
      expect(await expectFailure(refund(service, order.bizNo, 400, "case-2"))).toEqual({
        name: "refund.exceeds-remaining",
        remaining: 200,
      });
    });

    it("never pays its amount twice while other calls send the refund, or refund the amount under a new number", async () => {
      const { service, order, wallet } = await withWaitingRefund(payChannel);
      wallet.setOutOfFunds(false);
      service.host.clock.advance(DAY);
      await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, async (_, caller) => {
          if (caller % 4 === 0) return settle(service, order.bizNo, NUMBER);
          if (caller % 4 === 1) return reconcileOrders(service.ports);
          if (caller % 4 === 2) return refund(service, order.bizNo, 400, NUMBER);
          return refund(service, order.bizNo, 400, `case-${String(caller)}`);
        }),
      );
      const { status } = await onlyRefundOf(service, order);
      expect(["SETTLED", "CONFIRMED"]).toContain(status);
      expect(wallet.balance()).toBe(status === "SETTLED" ? 600 : 200);
      expect(await stored(service, order)).toMatchObject({ refundedAmount: 400 });
    });
  });

  describe("a refund that only a bill lists", () => {
    const listed = async (service: Service, order: Order, refundNo: string, amountThere: number) => {
      const found = aFoundException({
        kind: "REFUND_NOT_HERE",
        outTradeNo: order.id,
        refundNo,
        amountThere,
        order,
      });
      await expectOk(service.host.billExceptions.report([found]));
      return found;
    };

    /** Expects that the exception prevents the settlement until a person resolves it. */
    const expectSettledOnceResolved = async (
      service: Service,
      order: Order,
      { id, remaining }: { readonly id: string; readonly remaining: number },
    ) => {
      expect(await expectFailure(settle(service, order.bizNo, NUMBER))).toEqual({
        name: "refund.exceeds-remaining",
        remaining,
      });
      const resolution = { operator: "an", note: "of another shop", at: 1, remedy: "settle" } as const;
      await expectOk(service.host.billExceptions.resolve(id, resolution));
      expect(await expectOk(settle(service, order.bizNo, NUMBER))).toMatchObject({ status: "SETTLED" });
    };

    it("does not let another refund use its money if the order has a settlement", async () => {
      const { service, order, wallet } = await withWaitingRefund();
      await expectOk(settle(service, order.bizNo, NUMBER));
      wallet.setOutOfFunds(false);
      await listed(service, order, "5030", 150);
      const left = { name: "refund.exceeds-remaining", remaining: 50 };
      expect(await expectFailure(refund(service, order.bizNo, 51, "case-2"))).toEqual(left);
      expect(await expectFailure(refund(service, order.bizNo, 200, "case-2"))).toEqual(left);
      expect(await expectOk(refund(service, order.bizNo, undefined, "case-3"))).toMatchObject({ amount: 50 });
      expect(await expectOk(refund(service, order.bizNo, 400, NUMBER))).toMatchObject({ status: "SETTLED" });
      expect(wallet.balance()).toBe(550);
    });

    it("does not let a settlement use its money until a person resolves the exception", async () => {
      const { service, order } = await withWaitingRefund();
      const { id } = await listed(service, order, "5030", 201);
      await expectSettledOnceResolved(service, order, { id, remaining: 399 });
    });

    it("is not counted in addition to the open refund with its number", async () => {
      const { service, order } = await withWaitingRefund();
      const waiting = await onlyRefundOf(service, order);
      await listed(service, order, outRefundNo(order, waiting), 400);
      expect(await expectOk(settle(service, order.bizNo, NUMBER))).toMatchObject({ status: "SETTLED" });
    });

    it.each(["FAILED", "ABNORMAL"] as const)(
      "prevents the settlement of its own refund, which is %s, until a person resolves the exception",
      async (status) => {
        const { service, order, wallet } = await withPaidOrder();
        if (status === "FAILED") wallet.failNext("refund", REJECTED);
        else wallet.holdNextRefund();
        await refund(service, order.bizNo, 200, NUMBER);
        const number = outRefundNo(order, await onlyRefundOf(service, order));
        if (status === "ABNORMAL") {
          wallet.endRefund(order.id, number, "ABNORMAL");
          service.host.clock.advance(MINUTE);
          await reconcileOrders(service.ports);
        }
        expect(await onlyRefundOf(service, order)).toMatchObject({ status });
        const { id } = await listed(service, order, number, 200);
        wallet.failNext("queryRefund", UNKNOWN);
        await expectSettledOnceResolved(service, order, { id, remaining: 0 });
      },
    );

    it("limits no refund if there is no settlement, because the wallet itself limits refunds", async () => {
      const { service, order } = await withPaidOrder();
      await listed(service, order, "5030", 600);
      await expectOk(refund(service, order.bizNo, 100, NUMBER));
      expect(await expectOk(refund(service, order.bizNo, 500, "case-2"))).toMatchObject({
        status: "CONFIRMED",
      });
    });
  });

  it("is not settled while its call may still run", async () => {
    const { service, order } = await withLostAnswer("before");
    expect(await expectFailure(settle(service, order.bizNo, NUMBER))).toEqual({
      name: "refund.outcome-unknown",
    });
  });
}
