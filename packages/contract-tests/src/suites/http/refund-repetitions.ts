import { PAY_CHANNELS, type PayChannel, reconcileOrders } from "@tillkit/core";
import { outRefundNo } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { MINUTE, CONCURRENT_CALLERS } from "../../support/fixtures.js";
import { expectFailure, expectOk } from "../../support/open-before-each.js";
import {
  aPurchase,
  callsOf,
  created,
  onlyRefundOf,
  paid,
  REJECTED,
  refund,
  refundAtWallet,
  refundsOf,
  storedOrder,
  timelineOf,
  UNKNOWN,
  walletOf,
} from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";

const NUMBER = "case-1";

/** Tests that a refund with one number moves money once, despite retries and interruptions. */
export function refundRepetitionsContract(start: StartService): void {
  const aPaidOrder = async (service: Service, payChannel: PayChannel = "WALLET_A") => {
    const order = await created(service, service.demo, aPurchase({ payChannel }));
    await paid(service, order);
    return order;
  };
  /** Starts a service with a paid order of six yuan. */
  const withPaidOrder = async (payChannel?: PayChannel) => {
    const service = await start();
    const order = await aPaidOrder(service, payChannel);
    const ask = (amount?: number, refundNo: string = NUMBER) =>
      refund(service, order.bizNo, amount, refundNo);
    return { service, order, wallet: walletOf(service, order), ask };
  };

  describe.each(PAY_CHANNELS)("a repeated refund request, at %s,", (payChannel) => {
    it("returns the existing refund, with the same amount or without an amount", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      const made = await expectOk(ask(250));
      const events = await timelineOf(service, order);
      expect(await expectOk(ask(250))).toEqual(made);
      expect(await expectOk(ask())).toEqual(made);
      expect(await refundsOf(service, order)).toEqual([made]);
      expect(await timelineOf(service, order)).toEqual(events);
      expect(callsOf(service, "refund")).toBe(1);
      expect(wallet.balance()).toBe(350);
    });

    it("returns the existing refund if nothing is left and the order is REFUND", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      const made = await expectOk(ask());
      expect(await expectOk(ask())).toEqual(made);
      expect(await expectOk(ask(600))).toEqual(made);
      expect(await expectFailure(ask(600, "case-2"))).toEqual({ name: "order.refunded" });
      expect(await onlyRefundOf(service, order)).toEqual(made);
      expect(wallet.balance()).toBe(0);
    });

    it("with another amount is a conflict, and moves no money", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      await expectOk(ask(250));
      expect(await expectFailure(ask(251))).toEqual({ name: "refund-no.conflict", amount: 250 });
      expect(await refundsOf(service, order)).toHaveLength(1);
      expect(wallet.balance()).toBe(350);
    });

    it("continues if its response was lost, and the money moves once", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      wallet.failNext("refund", UNKNOWN, "after");
      expect(await expectFailure(ask(250))).toEqual({ name: "refund.outcome-unknown" });
      wallet.failNext("queryRefund", UNKNOWN);
      expect(await expectFailure(ask(250))).toEqual({ name: "refund.outcome-unknown" });
      expect(await expectOk(ask(250))).toMatchObject({ refundNo: NUMBER, status: "CONFIRMED" });
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 250 });
      expect(wallet.balance()).toBe(350);
    });

    it("stays refused, and its number is never used for another amount", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      wallet.failNext("refund", REJECTED);
      expect(await expectFailure(ask(250))).toEqual({ name: "refund.rejected" });
      expect(await expectFailure(ask(250))).toEqual({ name: "refund.rejected" });
      expect(callsOf(service, "refund")).toBe(1);
      expect(await expectOk(ask(250, "case-2"))).toMatchObject({ status: "CONFIRMED" });
      expect(await expectFailure(ask())).toEqual({ name: "refund.rejected" });
      expect((await refundsOf(service, order)).map(({ status }) => status).sort()).toEqual([
        "CONFIRMED",
        "FAILED",
      ]);
      expect(wallet.balance()).toBe(350);
    });

    it("by several operators at once is one refund, sent once, and every later answer returns it", async () => {
      const { service, order, wallet, ask } = await withPaidOrder(payChannel);
      const results = await Promise.all(Array.from({ length: CONCURRENT_CALLERS }, () => ask(250)));
      const refunded = { refundNo: NUMBER, status: "CONFIRMED", amount: 250 };
      for (const result of results)
        if (result.isOk()) expect(result.value).toMatchObject(refunded);
        else expect(result.error).toEqual({ name: "refund.outcome-unknown" });
      expect(results.some((result) => result.isOk())).toBe(true);
      expect(await expectOk(ask(250))).toMatchObject(refunded);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
      expect(callsOf(service, "refund")).toBe(1);
      expect(wallet.balance()).toBe(350);
    });

    it("under the number of another order's refund is a separate refund", async () => {
      const { service, order, ask } = await withPaidOrder(payChannel);
      const other = await aPaidOrder(service, payChannel);
      expect(await expectOk(ask(250))).toMatchObject({ bizNo: order.bizNo });
      const second = await expectOk(refund(service, other.bizNo, 100, NUMBER));
      expect(second).toMatchObject({ bizNo: other.bizNo, amount: 100, status: "CONFIRMED" });
      expect(walletOf(service, order).balance()).toBe(850);
    });
  });

  describe.each(PAY_CHANNELS)("a number of a refund that storage has lost, at %s,", (payChannel) => {
    /** Makes a refund of 250 cents at the wallet, with the number that Tillkit gives it. */
    const withLostRefund = async () => {
      const fixture = await withPaidOrder(payChannel);
      await refundAtWallet(fixture.service, fixture.order, `${fixture.order.id}-${NUMBER}`, 250);
      return fixture;
    };

    it.each([[250], [undefined]])(
      "is stored with the wallet's amount, and nothing is sent: %s",
      async (amount) => {
        const { service, order, wallet, ask } = await withLostRefund();
        const refunded = { refundNo: NUMBER, amount: 250, status: "CONFIRMED" };
        expect(await expectOk(ask(amount))).toMatchObject(refunded);
        expect(await onlyRefundOf(service, order)).toMatchObject(refunded);
        expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 250 });
        expect(callsOf(service, "refund")).toBe(0);
        expect(wallet.balance()).toBe(350);
      },
    );

    it("with another amount is a conflict, and stores nothing", async () => {
      const { service, order, wallet, ask } = await withLostRefund();
      expect(await expectFailure(ask(100))).toEqual({ name: "refund-no.conflict", amount: 250 });
      expect(await refundsOf(service, order)).toEqual([]);
      expect(callsOf(service, "refund")).toBe(0);
      expect(wallet.balance()).toBe(350);
    });

    it("is queried again if the wallet does not answer, and is not sent before", async () => {
      const { service, order, wallet, ask } = await withLostRefund();
      wallet.failNext("queryRefund", UNKNOWN);
      wallet.failNext("queryRefund", UNKNOWN);
      expect(await expectFailure(ask(250))).toEqual({ name: "refund.outcome-unknown" });
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "SENT" });
      service.host.clock.advance(MINUTE);
      await expectOk(reconcileOrders(service.ports));
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED", amount: 250 });
      expect(callsOf(service, "refund")).toBe(0);
      expect(wallet.balance()).toBe(350);
    });
  });

  it.each(["", "a b", "a/b", "a|b", "a*b", "a@b", "退", "x".repeat(32)])(
    "a number that a wallet might not accept is rejected: %j",
    async (refundNo) => {
      const { order, ask, service } = await withPaidOrder();
      expect((await expectFailure(ask(250, refundNo))).name).toMatch(/^parameter\./);
      expect(await refundsOf(service, order)).toEqual([]);
    },
  );

  describe("an unsigned refusal", () => {
    const UNSIGNED_REFUSAL = { ...REJECTED, trusted: false } as const;
    const ABSENT = { ...UNSIGNED_REFUSAL, reason: "absent" } as const;
    const refuse = ({ wallet }: Pick<Awaited<ReturnType<typeof withPaidOrder>>, "wallet">) => {
      wallet.failNext("refund", UNSIGNED_REFUSAL);
      wallet.failNext("queryRefund", ABSENT);
    };

    it("ends a refund only after policy.unsignedRefusalDelay, but is on the timeline at once", async () => {
      const fixture = await withPaidOrder();
      const { service, order, wallet, ask } = fixture;
      refuse(fixture);
      expect(await expectFailure(ask())).toEqual({ name: "refund.outcome-unknown" });
      expect((await timelineOf(service, order)).at(-1)).toMatchObject({
        type: "REFUND_REFUSED",
        alarm: false,
      });
      for (const pause of [MINUTE, 4 * MINUTE]) {
        service.host.clock.advance(pause);
        wallet.failNext("queryRefund", ABSENT);
        expect(await expectOk(reconcileOrders(service.ports))).toMatchObject({ refunds: 1 });
        expect((await onlyRefundOf(service, order)).status).toBe("SENT");
      }
      // So far, an unsigned "not found" has not caused another refund call.
      expect(callsOf(service, "refund")).toBe(1);
      service.host.clock.advance(5 * MINUTE);
      wallet.failNext("queryRefund", ABSENT);
      refuse(fixture);
      expect(await expectFailure(ask())).toEqual({ name: "refund.rejected" });
      expect(callsOf(service, "refund")).toBe(2);
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "FAILED" });
      const types = (await timelineOf(service, order)).map(({ type }) => type);
      expect(types.slice(2)).toEqual(["REFUND_REQUESTED", "REFUND_SENT", "REFUND_REFUSED", "REFUND_FAILED"]);
      expect(await expectOk(ask(undefined, "case-2"))).toMatchObject({ status: "CONFIRMED" });
    });

    it("does not prevent a later success of the refund", async () => {
      const fixture = await withPaidOrder();
      const { service, order, wallet, ask } = fixture;
      refuse(fixture);
      await expectFailure(ask());
      service.host.clock.advance(MINUTE);
      await expectOk(reconcileOrders(service.ports));
      expect(await onlyRefundOf(service, order)).toMatchObject({ status: "CONFIRMED" });
      expect(wallet.balance()).toBe(0);
    });
  });

  it("the wallet's number of a refund consists of the order's id and the refund number", async () => {
    const { service, order, wallet, ask } = await withPaidOrder();
    const made = await expectOk(ask(250));
    expect(() => wallet.refundNotificationFor(order.id, outRefundNo(order, made))).not.toThrow();
    const sent = (await timelineOf(service, order)).find(({ type }) => type === "REFUND_SENT");
    expect(sent?.details).toContain(`${order.id}-${NUMBER}`);
  });
}
