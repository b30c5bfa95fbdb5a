import { PAY_CHANNELS, type PayChannel, type Ports, reconcileOrders, type Wallet } from "@tillkit/core";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { aHash, DAY } from "../../support/fixtures.js";
import { expectOk } from "../../support/open-before-each.js";
import { fetchAnswer } from "../../support/http/caller.js";
import {
  aPurchase,
  created,
  deliver,
  expectRefused,
  expectAccepted,
  notificationOf,
  REJECTED,
  storedOrder,
  timelineOf,
  toolOf,
  walletOf,
} from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

/** Tests what the service stores of a wallet's order data, and what raises an alarm. */
export function walletStatementsContract(start: StartService): void {
  describe.each(PAY_CHANNELS)("a payment over %s", (payChannel) => {
    it("is stored with the wallet's number, time and evidence", async () => {
      const service = await start();
      const { demo, host } = service;
      const order = await created(service, demo, aPurchase({ payChannel }));
      const wallet = walletOf(service, order);
      host.clock.advance(1_000);
      wallet.pay(order.id);
      const paidAt = host.clock.now();
      const notification = notificationOf(service, order);
      host.clock.advance(60_000);
      await deliver(service, order, notification);
      const account = await expectOk(host.payTools.find((await toolOf(service, payChannel)).id));
      if (account === undefined) throw new Error("The account is gone.");
      const stated = await expectOk(wallet.query(account, order.id, { deadline: 1_000 }));
      expect(stated?.walletTradeNo).toMatch(/./);
      expect(await storedOrder(service, demo, order.bizNo)).toMatchObject({
        paymentStatus: "PAID",
        pmtDt: paidAt,
        walletTradeNo: stated?.walletTradeNo,
      });
      const events = await timelineOf(service, order);
      expect(events.filter(({ to }) => to === "PAID")).toMatchObject([{ evidence: stated?.evidence }]);
    });

    it("raises one alarm for each message that does not match, including its repetitions", async () => {
      const service = await start();
      const order = await created(service, service.demo, aPurchase({ payChannel }));
      walletOf(service, order).pay(order.id);
      for (const amount of [1, 2, 1, 2, 3]) {
        const wrong = notificationOf(service, order, { amount });
        expectRefused(service, payChannel, await deliver(service, order, wrong));
      }
      const alarms = (await timelineOf(service, order)).filter(({ alarm }) => alarm);
      expect(alarms.map(({ type }) => type)).toEqual(["MISMATCH", "MISMATCH", "MISMATCH"]);
      expect(new Set(alarms.map(({ evidence }) => evidence)).size).toBe(3);
      expect(service.serviceEvents.filter(({ type }) => type === "order.alarm")).toHaveLength(3);
      await deliver(service, order, notificationOf(service, order));
      expect((await storedOrder(service, service.demo, order.bizNo)).paymentStatus).toBe("PAID");
    });

    it("is accepted only at the order's own address, and only by POST", async () => {
      const service = await start();
      const { demo, notificationsUrl, ports } = service;
      const order = await created(service, demo, aPurchase({ payChannel }));
      walletOf(service, order).pay(order.id);
      const { headers, body } = notificationOf(service, order);
      const path = order.notifyUrl.slice(ports.notificationsUrl.length);
      const other = PAY_CHANNELS.find((channel) => channel !== payChannel) ?? payChannel;
      const wrong = [
        ["POST", path.replace(payChannel, other)],
        ["POST", path.replace(order.payToolId, (await toolOf(service, other)).id)],
        ["POST", `${path}x`],
        ["PUT", path],
        ["PATCH", path],
      ] as const;
      for (const [method, address] of wrong) {
        const sent = { method, headers, body: Uint8Array.from(body) };
        await fetchAnswer(`${notificationsUrl}${address}`, sent);
        const stored = await storedOrder(service, demo, order.bizNo);
        expect(stored.paymentStatus, `${method} ${address}`).toBe("PENDING");
      }
      expectAccepted(service, payChannel, await deliver(service, order, notificationOf(service, order)));
    });

    it("about another order does not close an expired order", async () => {
      const service = await start({
        ports: (ports) => statingOneCent(ports, payChannel),
      });
      const order = await created(service, service.demo, aPurchase({ payChannel }));
      service.host.clock.advance(DAY);
      await expectOk(reconcileOrders(service.ports));
      expect((await storedOrder(service, service.demo, order.bizNo)).paymentStatus).toBe("PENDING");
      expect(await timelineOf(service, order)).toMatchObject([{ type: "CREATED" }, { type: "MISMATCH" }]);
    });
  });

  it("two different refusals of a prepayment are two alarms", async () => {
    const service = await start();
    const purchase = aPurchase();
    for (const detail of ["first", "second", "first"]) {
      service.host.wallets.WALLET_A.failNext("prepare", { ...REJECTED, detail });
      expect((await service.demo.post("/order.json", purchase)).code).toBe(30001);
    }
    const order = await storedOrder(service, service.demo, purchase.bizNo);
    const alarms = (await timelineOf(service, order)).filter(({ alarm }) => alarm);
    expect(alarms.map(({ type, details }) => [type, details])).toEqual([
      ["PREPAYMENT_REJECTED", '{"refusal":"first"}'],
      ["PREPAYMENT_REJECTED", '{"refusal":"second"}'],
    ]);
  });

  it("all calls that close one order share one deadline", async () => {
    const deadlines: (readonly [call: string, deadline: number])[] = [];
    const slow = 1_500;
    const service = await start({
      ports: (ports) =>
        replaced(ports, "WALLET_A", (wallet) => ({
          query: (account, outTradeNo, limits) => {
            deadlines.push(["query", limits.deadline]);
            advance(slow);
            return wallet.query(account, outTradeNo, limits);
          },
          close: (account, outTradeNo, limits) => {
            deadlines.push(["close", limits.deadline]);
            return wallet.close(account, outTradeNo, limits);
          },
        })),
    });
    const advance = (ms: number) => service.host.clock.advance(ms);
    const order = await created(service, service.demo, aPurchase());
    service.host.clock.advance(DAY);
    await expectOk(reconcileOrders(service.ports));
    expect((await storedOrder(service, service.demo, order.bizNo)).paymentStatus).toBe("CLOSE");
    const { walletDeadline } = service.ports.policy;
    expect(deadlines).toEqual([
      ["query", walletDeadline],
      ["close", walletDeadline - slow],
    ]);
  });
}

/** Replaces methods of the wallet of a channel. */
function replaced(ports: Ports, payChannel: PayChannel, change: (wallet: Wallet) => Partial<Wallet>): Ports {
  const wallet = ports.wallets[payChannel];
  return { ...ports, wallets: { ...ports.wallets, [payChannel]: { ...wallet, ...change(wallet) } } };
}

/** Replaces a wallet so that it reports a payment of one cent for every order. */
function statingOneCent(ports: Ports, payChannel: PayChannel): Ports {
  return replaced(ports, payChannel, () => ({
    query: ({ walletAppId, accountId: merchantId }, outTradeNo) => {
      const facts = {
        state: "OPEN",
        outTradeNo,
        walletAppId,
        merchantId,
        amount: 1,
        currency: "CNY",
      } as const;
      return okAsync({ ...facts, evidence: aHash(outTradeNo) });
    },
  }));
}
