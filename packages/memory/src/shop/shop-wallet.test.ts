import { expectOk } from "@tillkit/contract-tests";
import {
  type Order,
  parseInput,
  PAY_CHANNELS,
  reconcileOrders,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import { closeOrder, closeOrderInput } from "@tillkit/core/operators";
import { expect, describe, it, onTestFinished } from "vitest";
import { aShop } from "./a-shop.js";
import type { Shop, ShopOptions } from "./shop.js";

const HOUR = 3_600_000;

describe.each(PAY_CHANNELS)("the shop's wallet: %s", (payChannel) => {
  const open = async (options?: ShopOptions) => {
    const shop = await aShop(options);
    onTestFinished(() => shop.end());
    return { shop, wallet: shop.wallets[payChannel], order: (await shop.placeOrder({ payChannel })).order };
  };
  const stored = async ({ ports }: Shop, order: Order): Promise<Order | undefined> =>
    expectOk(ports.orders.find(order));
  const types = async ({ ports }: Shop, order: Order) =>
    (await expectOk(ports.orders.timeline(order))).map(({ type }) => type);
  const close = ({ ports, app }: Shop, { bizNo }: Order) => {
    const input = parseInput(closeOrderInput(ports.policy), { bizNo, reason: "r", operator: "li" });
    return expectOk(input.asyncAndThen((valid) => closeOrder(ports, app.appId, valid)));
  };
  const refund = ({ ports, app }: Shop, { bizNo }: Order, refundNo: string) => {
    const raw = { bizNo, refundNo, reason: "r", operator: "li" };
    const input = parseInput(refundOrderInput(ports.policy), raw);
    return expectOk(input.asyncAndThen((valid) => refundOrder(ports, app.appId, valid)));
  };

  it("pays an order and repeats its notification", async () => {
    const { shop, wallet, order } = await open();
    await wallet.notify(order);
    const after = await stored(shop, order);
    expect(after).toMatchObject({ paymentStatus: "PAID", pmtDt: shop.ports.clock.now() });
    shop.advance(HOUR);
    await wallet.notify({ bizNo: order.bizNo });
    expect(await stored(shop, order)).toEqual(after);
    expect(await types(shop, order)).toEqual(["CREATED", "PAID"]);
    expect(wallet.balance()).toBe(order.amount);
  });

  it("rejects for an unknown order, and for an order of the other wallet", async () => {
    const { shop, wallet, order } = await open();
    await expect(wallet.notify({ bizNo: "no-such" })).rejects.toThrow('no order with the bizNo "no-such"');
    const other = payChannel === "WALLET_A" ? "WALLET_B" : "WALLET_A";
    await expect(shop.wallets[other].notify(order)).rejects.toThrow(`is paid at ${payChannel}`);
    expect(await stored(shop, order)).toEqual(order);
  });

  it("rejects if the service does not acknowledge, and repeats the notification afterwards", async () => {
    const { shop, wallet, order } = await open();
    shop.faults.fail("orders", "transition");
    await expect(wallet.notify(order)).rejects.toThrow(/did not acknowledge .* HTTP \d+/u);
    expect(await stored(shop, order)).toMatchObject({ paymentStatus: "PENDING" });
    await wallet.notify(order);
    expect(await stored(shop, order)).toMatchObject({ paymentStatus: "PAID" });
    expect(wallet.balance()).toBe(order.amount);
  });

  it("rejects for an order that never reached the wallet", async () => {
    const { shop, wallet } = await open();
    shop.faults.fail(payChannel, "prepare");
    const lost = shop.placeOrder({ payChannel, paySource: "NATIVE", bizNo: "lost" });
    await expect(lost).rejects.toThrow(/wallet-a.unavailable|wallet-b.failed/u);
    await expect(wallet.notify({ bizNo: "lost" })).rejects.toThrow("does not know the order lost");
  });

  it("names the reason of a refusal", async () => {
    const { shop, wallet, order } = await open();
    const { payTools } = shop.ports;
    const account = await expectOk(payTools.find(order.payToolId));
    if (account === undefined) throw new Error("no account");
    await expectOk(payTools.put({ ...account, walletAppId: "another-app" }));
    await expect(wallet.notify(order)).rejects.toThrow("(mismatch)");
    expect(await stored(shop, order)).toMatchObject({ paymentStatus: "PENDING" });
  });

  it("pays late after the order was closed by an operator or by its expiry", async () => {
    const { shop, wallet, order } = await open();
    const { order: second } = await shop.placeOrder({ payChannel });
    await close(shop, order);
    shop.advance(3 * HOUR);
    await expectOk(reconcileOrders(shop.ports));
    for (const closed of [order, second]) {
      expect(await stored(shop, closed)).toMatchObject({ paymentStatus: "CLOSE" });
      await expect(wallet.notify(closed)).rejects.toThrow("Use payLate");
      await wallet.payLate(closed);
      expect(await stored(shop, closed)).toMatchObject({ paymentStatus: "PAID" });
      expect(await types(shop, closed)).toContain("LATE_PAYMENT");
    }
    expect(shop.events.filter(({ type }) => type === "order.alarm")).toHaveLength(2);
  });

  it("pays late after the expiry, before the service closed the order", async () => {
    const { shop, wallet, order } = await open();
    shop.advance(3 * HOUR);
    await expect(wallet.notify(order)).rejects.toThrow("Use payLate");
    await wallet.payLate(order);
    expect(await stored(shop, order)).toMatchObject({ paymentStatus: "PAID" });
    expect(await types(shop, order)).not.toContain("LATE_PAYMENT");
  });

  it("does not pay an open or paid order late", async () => {
    const { shop, wallet, order } = await open();
    await expect(wallet.payLate(order)).rejects.toThrow("can still be paid");
    expect(await stored(shop, order)).toMatchObject({ paymentStatus: "PENDING" });
    await wallet.notify(order);
    shop.advance(3 * HOUR);
    await expect(wallet.payLate(order)).rejects.toThrow("its state is PAID");
  });

  it.each(["forged", "tampered", "stale", "wrong-amount", "wrong-app", "wrong-merchant"] as const)(
    "delivers a notification that is false, and that the service refuses: %s",
    async (kind) => {
      const { shop, wallet, order } = await open();
      const sent = wallet.forge(order, kind);
      if (kind === "stale" && payChannel === "WALLET_B")
        await expect(sent).rejects.toThrow("has no stale notifications");
      else {
        await sent;
        const refusals = { forged: "unverified", tampered: "unverified", stale: "stale" };
        const reason = kind in refusals ? refusals[kind === "stale" ? "stale" : "forged"] : "mismatch";
        expect(shop.events).toContainEqual({ type: "notification.refused", payChannel, reason });
      }
      expect(await stored(shop, order)).toMatchObject({ paymentStatus: "PENDING" });
      await wallet.notify(order);
      await expect(wallet.forge(order, kind)).rejects.toThrow("already paid");
    },
  );

  it("rejects if a service acknowledges a false notification", async () => {
    const body = payChannel === "WALLET_A" ? null : "success";
    const status = payChannel === "WALLET_A" ? 204 : 200;
    const { wallet, order } = await open({ deliver: async () => new Response(body, { status }) });
    await expect(wallet.forge(order)).rejects.toThrow("acknowledged a false notification (forged)");
  });

  it("reports the end of a refund", async () => {
    const { shop, wallet, order } = await open();
    await wallet.notify(order);
    wallet.holdNextRefund();
    expect(await refund(shop, order, "refund-1")).toMatchObject({ status: "SENT" });
    await wallet.notifyRefund(order, "refund-1");
    await wallet.notifyRefund(order, "refund-1");
    // Alipay's notification describes the order, so the service queries the refund later.
    shop.advance(HOUR);
    if (payChannel === "WALLET_B") await expectOk(reconcileOrders(shop.ports));
    expect(await expectOk(shop.ports.refunds.list(order))).toMatchObject([{ status: "CONFIRMED" }]);
    await expect(wallet.notifyRefund(order, "refund-1", "FAILED")).rejects.toThrow("cannot become FAILED");
    await expect(wallet.notifyRefund(order, "no-such")).rejects.toThrow(/has no refund .*no-such/u);
  });

  it("sends its notification to the address of the test", async () => {
    const requests: Request[] = [];
    const { wallet, order } = await open({
      deliver: async (request) => {
        requests.push(request);
        return new Response("no", { status: 500 });
      },
    });
    await expect(wallet.notify(order)).rejects.toThrow("HTTP 500 no");
    expect(requests.map(({ method, url }) => [method, url])).toEqual([["POST", order.notifyUrl]]);
  });
});
