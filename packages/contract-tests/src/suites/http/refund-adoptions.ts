import {
  type Order,
  PAY_CHANNELS,
  type PayChannel,
  type Ports,
  type Refund,
  type Wallet,
} from "@tillkit/core";
import type { WalletRefund } from "@tillkit/core/ports";
import { errAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { anEntry, anId, CONCURRENT_CALLERS, unique } from "../../support/fixtures.js";
import { expectFailure, expectOk, race } from "../../support/open-before-each.js";
import {
  adopt,
  aPurchase,
  callsOf,
  created,
  onlyRefundOf,
  paid,
  refund,
  refundAtWallet,
  refundsOf,
  REJECTED,
  settle,
  storedOrder,
  timelineOf,
  UNKNOWN,
  walletOf,
} from "../../support/http/purchases.js";
import type { Service, StartService } from "../../support/http/service.js";

const NUMBER = "50300000382026112700001";

/** Tests refunds that were made in the wallet's console, and that an operator adopts by number. */
export function refundAdoptionsContract(start: StartService): void {
  /** Starts a service with a paid order of six yuan. */
  const withPaidOrder = async (
    payChannel: PayChannel = "WALLET_A",
    options: Parameters<StartService>[0] = {},
  ) => {
    const service = await start(options);
    const order = await created(service, service.demo, aPurchase({ payChannel }));
    await paid(service, order);
    return { service, order, wallet: walletOf(service, order) };
  };
  const stored = (service: Service, { bizNo }: Order) => storedOrder(service, service.demo, bizNo);

  it.each(PAY_CHANNELS)("of %s count once, despite concurrent and repeated calls", async (payChannel) => {
    const { service, order } = await withPaidOrder(payChannel);
    await refundAtWallet(service, order, NUMBER, 250);
    const adopted = await race(CONCURRENT_CALLERS, () => adopt(service, order.bizNo, NUMBER));
    const only = await onlyRefundOf(service, order);
    expect(new Set(adopted.map(({ refundNo }) => refundNo))).toEqual(new Set([only.refundNo]));
    expect(await expectOk(adopt(service, order.bizNo, NUMBER))).toEqual(only);
    expect(await stored(service, order)).toMatchObject({ paymentStatus: "PAID", refundedAmount: 250 });
    const { length } = (await timelineOf(service, order)).filter(({ type }) => type === "REFUND_ADOPTED");
    expect(length).toBe(1);
    expect(service.serviceEvents).toContainEqual({
      type: "refund.moved",
      appId: order.appId,
      orderId: order.id,
      refundNo: only.refundNo,
      to: "CONFIRMED",
      amount: 250,
    });
  });

  it("store the operator and the reason", async () => {
    const { service, order } = await withPaidOrder();
    await refundAtWallet(service, order, NUMBER, 250);
    await expectOk(adopt(service, order.bizNo, NUMBER));
    expect((await timelineOf(service, order)).at(-1)).toMatchObject({
      actor: "operator:kim",
      reason: "seen in the console",
    });
    expect(await onlyRefundOf(service, order)).toMatchObject({ operator: "kim" });
  });

  it("continue a refund of Tillkit if they have its number", async () => {
    const { service, order, wallet } = await withPaidOrder();
    wallet.failNext("refund", UNKNOWN, "after");
    await expectFailure(refund(service, order.bizNo, 200, "case-1"));
    expect(await expectOk(adopt(service, order.bizNo, `${order.id}-case-1`))).toMatchObject({
      refundNo: "case-1",
      status: "CONFIRMED",
    });
    expect(await onlyRefundOf(service, order)).toMatchObject({ operator: "han" });
  });

  it.each([
    ["no answer", UNKNOWN, "wallet-a.unavailable"],
    ["a refusal", REJECTED, "wallet-a.rejected"],
    ["an unsigned absence", { ...REJECTED, reason: "absent", trusted: false }, "wallet-a.bad-answer"],
  ] as const)("change nothing after %s", async (_, failure, name) => {
    const { service, order, wallet } = await withPaidOrder();
    await refundAtWallet(service, order, NUMBER, 250);
    wallet.failNext("queryRefund", failure);
    expect(await expectFailure(adopt(service, order.bizNo, NUMBER))).toMatchObject({ name });
    expect(await refundsOf(service, order)).toEqual([]);
  });

  it("need an answer of the wallet about a refund of this order", async () => {
    const { service, order } = await withPaidOrder();
    const because = "absent";
    const failure = { name: "refund.not-adopted", because };
    expect(await expectFailure(adopt(service, order.bizNo, NUMBER))).toEqual(failure);
    expect(await expectFailure(adopt(service, "none", NUMBER))).toEqual({ name: "order.not-found" });
    expect(callsOf(service, "queryRefund")).toBe(1);
  });

  it("of an order that was never paid are not adopted", async () => {
    const facts = { state: "CONFIRMED", refundNo: NUMBER, amount: 100 } as const;
    const service = await start({ ports: (ports) => stating(ports, facts) });
    const order = await created(service, service.demo, aPurchase());
    expect(await expectFailure(adopt(service, order.bizNo, NUMBER))).toEqual({
      name: "refund.not-adopted",
      because: "order-not-paid",
    });
  });

  it.each([
    ["another merchant", { merchantId: "other" }, "mismatch", ["MISMATCH"]],
    ["another order", { outTradeNo: "other" }, "mismatch", ["MISMATCH"]],
    ["another number", { refundNo: "other" }, "mismatch", ["MISMATCH"]],
    ["more than the order", { amount: 601 }, "mismatch", ["MISMATCH"]],
    ["no money", { amount: 0 }, "mismatch", ["MISMATCH"]],
    ["more than is left", { amount: 501 }, "exceeds-amount", ["UNKNOWN_REFUND"]],
    ["a refund in progress", { state: "PROCESSING" }, "not-confirmed", []],
    ["an abnormal refund", { state: "ABNORMAL" }, "not-confirmed", []],
    ["a closed refund", { state: "FAILED" }, "not-confirmed", []],
  ] as const)("change nothing if the wallet states %s", async (_, facts, because, alarms) => {
    const state = { state: "CONFIRMED", refundNo: NUMBER, amount: 100, ...facts } as const;
    const { service, order } = await withPaidOrder("WALLET_A", { ports: (ports) => stating(ports, state) });
    await expectOk(refund(service, order.bizNo, 100, "case-1"));
    for (let repeats = 0; repeats < 2; repeats += 1)
      expect(await expectFailure(adopt(service, order.bizNo, NUMBER))).toEqual({
        name: "refund.not-adopted",
        because,
      });
    expect(await stored(service, order)).toMatchObject({ refundedAmount: 100 });
    expect(await alarmsOf(service, order)).toEqual(alarms);
  });

  it.each(PAY_CHANNELS)("of a second payment of %s are recorded, but not counted", async (payChannel) => {
    const facts = { state: "CONFIRMED", refundNo: NUMBER, amount: 600, walletTradeNo: "second" } as const;
    const { service, order } = await withPaidOrder(payChannel, {
      ports: (ports) => stating(ports, facts, {}, payChannel),
    });
    const before = await stored(service, order);
    const failures = await Promise.all(
      Array.from({ length: CONCURRENT_CALLERS }, () => expectFailure(adopt(service, order.bizNo, NUMBER))),
    );
    const failure = { name: "refund.not-adopted", because: "second-payment" };
    expect(failures).toEqual(failures.map(() => failure));
    expect(await stored(service, order)).toEqual(before);
    expect(await refundsOf(service, order)).toEqual([]);
    expect(await alarmsOf(service, order)).toEqual([]);
    const noted = (await timelineOf(service, order)).filter(({ type }) => type === "SECOND_PAYMENT_REFUNDED");
    expect(noted).toMatchObject([
      {
        actor: "operator:kim",
        reason: "seen in the console",
        details: JSON.stringify({ amount: 600, number: NUMBER, stated: "second" }),
      },
    ]);
  });

  it.each(PAY_CHANNELS)(
    "of %s with the number of a Tillkit refund make that refund fail",
    async (channel) => {
      const { service, order, wallet } = await withPaidOrder(channel);
      // The wallet has a refund with this number that Tillkit does not know. When Tillkit requests
      // case-1, its query of the wallet before sending fails.
      await refundAtWallet(service, order, `${order.id}-case-1`, 200);
      wallet.failNext("queryRefund", UNKNOWN);
      const failure = { name: "refund.rejected" };
      expect(await expectFailure(refund(service, order.bizNo, 300, "case-1"))).toMatchObject(failure);
      const ended = [
        { refundNo: "case-1", amount: 300, status: "FAILED" },
        { refundNo: `console:${order.id}-case-1`, amount: 200, status: "CONFIRMED" },
      ];
      const byNumber = (made: readonly Refund[]) =>
        [...made].sort((left, right) => (left.refundNo < right.refundNo ? -1 : 1));
      expect(byNumber(await refundsOf(service, order))).toMatchObject(ended);
      expect(await stored(service, order)).toMatchObject({ paymentStatus: "PAID", refundedAmount: 200 });
      const alarms = await alarmsOf(service, order);
      expect(alarms).toEqual(["MISMATCH", "REFUND_FAILED"]);
      // Neither a repeated request nor a later adoption counts the refund again.
      expect(await expectFailure(refund(service, order.bizNo, 300, "case-1"))).toMatchObject(failure);
      await race(CONCURRENT_CALLERS, () => adopt(service, order.bizNo, `${order.id}-case-1`));
      expect(byNumber(await refundsOf(service, order))).toMatchObject(ended);
      expect(await alarmsOf(service, order)).toEqual(alarms);
      await expectOk(refund(service, order.bizNo, 400, "case-2"));
      expect(await stored(service, order)).toMatchObject({ paymentStatus: "REFUND", refundedAmount: 600 });
      expect(wallet.balance()).toBe(0);
    },
  );

  it("raise an alarm if the money went to the merchant's own account", async () => {
    const facts = { state: "CONFIRMED", refundNo: NUMBER, amount: 600, toMerchant: true } as const;
    const { service, order } = await withPaidOrder("WALLET_A", { ports: (ports) => stating(ports, facts) });
    await expectOk(adopt(service, order.bizNo, NUMBER));
    expect(await stored(service, order)).toMatchObject({ paymentStatus: "REFUND" });
    expect(await alarmsOf(service, order)).toEqual(["REFUND_ADOPTED"]);
  });

  describe("after a refund was settled by other means", () => {
    const withSettled = async (amount: number) => {
      const fixture = await withPaidOrder();
      const { service, order, wallet } = fixture;
      wallet.failNext("refund", REJECTED);
      await expectFailure(refund(service, order.bizNo, amount, "case-1"));
      await expectOk(settle(service, order.bizNo, "case-1"));
      return fixture;
    };

    it.each([
      ["the whole amount", 600, 600],
      ["an equal part", 200, 200],
    ])("count, with an alarm: %s", async (_, settled, atWallet) => {
      const { service, order } = await withSettled(settled);
      await refundAtWallet(service, order, NUMBER, atWallet);
      await expectOk(adopt(service, order.bizNo, NUMBER));
      await expectOk(adopt(service, order.bizNo, NUMBER));
      expect(await stored(service, order)).toMatchObject({ refundedAmount: settled + atWallet });
      expect(await alarmsOf(service, order)).toEqual(["REFUND_FAILED", "REFUND_PAID_TWICE"]);
    });

    it("store the alarm in the same step as the adoption", async () => {
      const { service, order } = await withSettled(600);
      await refundAtWallet(service, order, NUMBER, 600);
      const unavailable = () => errAsync({ name: "storage.unavailable" } as const);
      const orders = { ...service.ports.orders, record: unavailable };
      await adopt({ ...service, ports: { ...service.ports, orders } }, order.bizNo, NUMBER);
      await expectOk(adopt(service, order.bizNo, NUMBER));
      expect(await stored(service, order)).toMatchObject({ refundedAmount: 1_200 });
      expect(await alarmsOf(service, order)).toEqual(["REFUND_FAILED", "REFUND_PAID_TWICE"]);
    });

    it("count without an alarm if their amount differs from the settled part", async () => {
      const { service, order } = await withSettled(200);
      await refundAtWallet(service, order, NUMBER, 400);
      await expectOk(adopt(service, order.bizNo, NUMBER));
      expect(await stored(service, order)).toMatchObject({ paymentStatus: "REFUND", refundedAmount: 600 });
      expect(await alarmsOf(service, order)).toEqual(["REFUND_FAILED"]);
    });
  });

  describe("of an imported order", () => {
    /**
     * Imports an order with refunds of `refundedAmount`.
     *
     * The wallet made another refund `after` milliseconds later.
     */
    const withImported = async (refundedAmount: number, after?: number) => {
      const facts = { state: "CONFIRMED", refundNo: NUMBER, amount: 100 } as const;
      const time: { refundedAt?: number } = {};
      const service = await start({ ports: (ports) => stating(ports, facts, time) });
      const { notifyUrl: _none, ...order } = await created(service, service.demo, aPurchase());
      const at = service.host.clock.now();
      if (after !== undefined) time.refundedAt = at + after;
      const changes = { id: anId(), bizNo: unique("biz-"), paymentStatus: "PAID", pmtDt: at } as const;
      const details = JSON.stringify({ amount: order.amount, refundedAmount });
      const imported = await expectOk(
        service.host.orders.insertOnce(
          { ...order, ...changes, notifyUrl: "", refundedAmount },
          anEntry({ type: "IMPORTED", at, to: "PAID", details }),
        ),
      );
      return { service, order: imported };
    };

    it.each([
      ["has no refund", 0, undefined],
      ["has refunds, and the new one is later", 50, 1],
    ])("count if the order %s", async (_, before, after) => {
      const { service, order } = await withImported(before, after);
      await expectOk(adopt(service, order.bizNo, NUMBER));
      expect(await stored(service, order)).toMatchObject({ refundedAmount: before + 100 });
    });

    it.each([
      ["is earlier", -1],
      ["has no time", undefined],
    ])("do not count if the order has refunds, and the new one %s", async (_, after) => {
      const { service, order } = await withImported(50, after);
      expect(await expectFailure(adopt(service, order.bizNo, NUMBER))).toEqual({
        name: "refund.not-adopted",
        because: "imported",
      });
      expect(await stored(service, order)).toMatchObject({ refundedAmount: 50 });
    });
  });

  async function alarmsOf(service: Service, order: Order) {
    return (await timelineOf(service, order)).filter(({ alarm }) => alarm).map(({ type }) => type);
  }
}

/** Wraps a wallet so that it states these facts about the refund that Tillkit did not make. */
function stating(
  ports: Ports,
  facts: Pick<WalletRefund, "state" | "amount"> & Partial<WalletRefund>,
  time: Pick<WalletRefund, "refundedAt"> = {},
  payChannel: PayChannel = "WALLET_A",
): Ports {
  const usual = ports.wallets[payChannel];
  const wallet: Wallet = {
    ...usual,
    queryRefund: (account, request, limits) =>
      request.refundNo === NUMBER
        ? usual.queryRefund(account, request, limits).map(() => ({
            outTradeNo: request.outTradeNo,
            refundNo: NUMBER,
            merchantId: account.accountId,
            evidence: "e".repeat(64),
            ...facts,
            ...time,
          }))
        : usual.queryRefund(account, request, limits),
  };
  return { ...ports, wallets: { ...ports.wallets, [payChannel]: wallet } };
}
