import { type Ports, reconcileOrders } from "@tillkit/core";
import { outRefundNo, type WalletEvent } from "@tillkit/core/ports";
import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { DAY } from "../../support/fixtures.js";
import { expectOk } from "../../support/open-before-each.js";
import { aMobileNo, codeFor, wrongCode } from "../../support/http/logins.js";
import {
  aPurchase,
  callsOf,
  close,
  created,
  deliver,
  expectRefused,
  expectAccepted,
  notificationOf,
  paid,
  REJECTED,
  refund,
  storedOrder,
  timelineOf,
  toolOf,
  UNKNOWN,
  walletOf,
} from "../../support/http/purchases.js";
import type { ServiceReply } from "../../support/http/caller.js";
import { aDownloadsClient, askReport } from "./downloads.js";
import type { Service, StartService } from "../../support/http/service.js";

/** Tests stalled workers, lost responses, contradictory wallets and failing observers. */
export function resilienceContract(start: StartService): void {
  describe("a refund", () => {
    it("that has ended is not sent again by a worker that had stalled", async () => {
      const service = await start();
      const { order } = await aRefundInFlight(service);
      const [stale] = await expectOk(service.ports.refunds.list(order));
      if (stale === undefined) throw new Error("no refund");
      const entry = { type: "REFUND_FAILED", at: 0, actor: "wallet", reason: "no", alarm: true } as const;
      await expectOk(service.ports.refunds.reject(order, stale.refundNo, 0, entry));
      const refunds = { ...service.ports.refunds, claimDue: () => okAsync([stale]) };
      const calls = callsOf(service, "refund");
      await expectOk(reconcileOrders({ ...service.ports, refunds }));
      expect(callsOf(service, "refund")).toBe(calls);
    });

    it("counts and raises an alarm if the wallet made it after refusing it", async () => {
      const stored: { event?: WalletEvent } = {};
      const service = await start({ ports: (ports) => reading(ports, stored) });
      const { order } = await aRefundInFlight(service);
      walletOf(service, order).failNext("refund", REJECTED);
      walletOf(service, order).failNext("queryRefund", UNKNOWN);
      service.host.clock.advance(DAY / 24);
      await expectOk(reconcileOrders(service.ports));
      const [sent] = await expectOk(service.ports.refunds.list(order));
      if (sent === undefined) throw new Error("no refund");
      const entry = { type: "REFUND_FAILED", at: 0, actor: "wallet", reason: "no", alarm: true } as const;
      await expectOk(service.ports.refunds.reject(order, sent.refundNo, 0, entry));
      stored.event = await aRefundEvent(
        service,
        order.payToolId,
        outRefundNo(order, sent),
        order.id,
        sent.amount,
      );
      expectAccepted(service, "WALLET_A", await deliver(service, order, notificationOf(service, order)));
      expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ refundedAmount: 200 });
      const last = (await timelineOf(service, order)).at(-1);
      expect(last).toMatchObject({ type: "REFUND_CONFIRMED", alarm: true });
      expect(service.serviceEvents).toContainEqual(
        expect.objectContaining({ type: "order.alarm", event: "REFUND_CONFIRMED" }),
      );
    });
  });

  it("only the pay tool of an order can confirm its payment", async () => {
    const stored: { event?: WalletEvent } = {};
    const service = await start({ ports: (ports) => reading(ports, stored) });
    const order = await created(service, service.demo, aPurchase());
    const other = await toolOf(service, "WALLET_B");
    stored.event = {
      kind: "payment",
      order: {
        state: "PAID",
        outTradeNo: order.id,
        walletAppId: other.walletAppId,
        merchantId: other.accountId,
        amount: order.amount,
        currency: "CNY",
        evidence: "e",
      },
    };
    const notifyUrl = order.notifyUrl.replace(/WALLET_A\/[^/]+/, `WALLET_B/${other.id}`);
    const elsewhere = { ...order, notifyUrl };
    expectRefused(service, "WALLET_B", await deliver(service, elsewhere, notificationOf(service, order)));
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ paymentStatus: "PENDING" });
  });

  it("a payment with a payload issued before the close is found without its notification", async () => {
    const service = await start();
    const order = await created(service, service.demo, aPurchase({ payChannel: "WALLET_B" }));
    const closed = await expectOk(close(service, order.bizNo));
    expect(closed.paymentStatus).toBe("CLOSE");
    walletOf(service, order).pay(order.id);
    service.host.clock.advance(DAY / 8);
    await expectOk(reconcileOrders(service.ports));
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ paymentStatus: "PAID" });
    expect((await timelineOf(service, order)).at(-1)).toMatchObject({ type: "LATE_PAYMENT", alarm: true });
  });

  it("a payment of an order that was closed early is found although the wallet does not answer at first", async () => {
    const service = await start();
    const order = await created(service, service.demo, aPurchase({ payChannel: "WALLET_B" }));
    await expectOk(close(service, order.bizNo));
    walletOf(service, order).pay(order.id);
    service.host.clock.advance(DAY / 8);
    walletOf(service, order).failNext("query", {
      name: "wallet.unknown",
      cause: "timeout",
      detail: "scripted",
    });
    await expectOk(reconcileOrders(service.ports));
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ paymentStatus: "CLOSE" });
    service.host.clock.advance(DAY / 24);
    await expectOk(reconcileOrders(service.ports));
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ paymentStatus: "PAID" });
  });

  it("a repeated creation reports the payment that Tillkit did not know, although the wallet refuses a new prepayment", async () => {
    const service = await start({
      ports: (ports) => {
        let signed = false;
        const stored = ports.wallets.WALLET_B;
        const WALLET_B: Ports["wallets"]["WALLET_B"] = {
          ...stored,
          payload: (...call) => {
            if (signed)
              return errAsync({ name: "wallet.rejected", reason: "paid", trusted: true, detail: "paid" });
            signed = true;
            return stored.payload(...call);
          },
        };
        return { ...ports, wallets: { ...ports.wallets, WALLET_B } };
      },
    });
    const purchase = aPurchase({ payChannel: "WALLET_B" });
    const order = await created(service, service.demo, purchase);
    walletOf(service, order).pay(order.id);
    expect((await service.demo.post("/order.json", purchase)).json).toMatchObject({ code: 50003 });
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ paymentStatus: "PAID" });
  });

  it("an operator's close fails if the wallet contradicts itself", async () => {
    const service = await start({
      ports: (ports) => {
        const WALLET_A: Ports["wallets"]["WALLET_A"] = {
          ...ports.wallets.WALLET_A,
          close: () => okAsync("paid"),
          query: () => okAsync(undefined),
        };
        return { ...ports, wallets: { ...ports.wallets, WALLET_A } };
      },
    });
    const order = await created(service, service.demo, aPurchase());
    expect((await close(service, order.bizNo))._unsafeUnwrapErr()).toMatchObject({
      name: "wallet-a.bad-answer",
    });
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ paymentStatus: "PENDING" });
  });

  it("a caller that died after it claimed the prepayment blocks others only until the claim expires", async () => {
    const service = await start({
      ports: (ports) => {
        let first = true;
        const insertOnce: Ports["orders"]["insertOnce"] = (order, entry) => {
          const inserted = ports.orders.insertOnce(order, entry);
          if (!first) return inserted;
          first = false;
          return inserted.andThen(() => errAsync({ name: "storage.unavailable" } as const));
        };
        return { ...ports, orders: { ...ports.orders, insertOnce } };
      },
    });
    const purchase = aPurchase();
    const codes = [];
    for (const _ of [1, 2]) codes.push((await service.demo.post("/order.json", purchase)).json);
    expect(codes).toMatchObject([{ code: 99998 }, { code: 30002 }]);
    service.host.clock.advance(60_000);
    expect((await service.demo.post("/order.json", purchase)).json).toMatchObject({ code: 0 });
  });

  it("a repeated creation returns its order, even if the app could no longer create it", async () => {
    let ready = true;
    const service = await start({
      ports: (ports) => {
        const current: Ports["payTools"]["current"] = (appId, payChannel) =>
          ports.payTools
            .current(appId, payChannel)
            .map((account) => (account === undefined || ready ? account : { ...account, signStatus: "NO" }));
        const getCachedCurrent = () => undefined;
        return { ...ports, payTools: { ...ports.payTools, current, getCachedCurrent } };
      },
    });
    const purchase = aPurchase();
    const order = await created(service, service.demo, purchase);
    ready = false;
    const other = { ...purchase, amount: 601 };
    expect((await service.demo.post("/order.json", other)).json).toMatchObject({ code: 50002 });
    await paid(service, order);
    expect((await service.demo.post("/order.json", purchase)).json).toMatchObject({ code: 50003 });
    expect((await service.demo.post("/order.json", aPurchase())).json).toMatchObject({ code: 70003 });
  });

  it("a repeated creation returns no payload of a pay tool whose keys no longer work", async () => {
    const { demo, host } = await start();
    const purchase = aPurchase();
    expect((await demo.post("/order.json", purchase)).json).toMatchObject({ code: 0 });
    const account = await expectOk(host.payTools.current(demo.appId, "WALLET_A"));
    if (account === undefined) throw new Error("The demo app has no account at WALLET_A.");
    await expectOk(host.payTools.put({ ...account, signStatus: "NO" }));
    expect((await demo.post("/order.json", purchase)).json).toMatchObject({ code: 70003 });
    await expectOk(host.payTools.put(account));
    expect((await demo.post("/order.json", purchase)).json).toMatchObject({ code: 0 });
  });

  it("a misconfigured storage is reported with its remedy, which no reply contains", async () => {
    // A mark of digits alone would occur in one of some thousand random trace ids.
    const problem = { name: "storage.misconfigured", remedy: "Grant MARKS.", cause: "MARKS" } as const;
    let broken = false;
    const service = await start({
      ports: (ports) => {
        const transition: Ports["orders"]["transition"] = (key, change) =>
          broken ? errAsync(problem) : ports.orders.transition(key, change);
        const read: Ports["downloads"]["read"] = (appId, from, to) =>
          broken ? errAsync(problem) : ports.downloads.read(appId, from, to);
        const take: Ports["quotas"]["take"] = (allowance, unit) =>
          broken && unit.limit === 7 ? errAsync(problem) : ports.quotas.take(allowance, unit);
        const insertOnce: Ports["orders"]["insertOnce"] = (order, entry) =>
          broken ? errAsync(problem) : ports.orders.insertOnce(order, entry);
        const orders = { ...ports.orders, insertOnce, transition };
        return {
          ...ports,
          orders,
          downloads: { ...ports.downloads, read },
          quotas: { ...ports.quotas, take },
        };
      },
    });
    const { demo, serviceEvents } = service;
    const order = await created(service, demo, aPurchase());
    walletOf(service, order).pay(order.id);
    const notification = notificationOf(service, order);
    const [fetching, checking] = [await aDownloadsClient(service, 9), await aDownloadsClient(service, 7)];
    const report = (id: string) => askReport(service, "v2", { id, start: "2026-01-01", end: "2026-01-02" });
    broken = true;
    const reported = async (answer: Promise<ServiceReply>) => {
      const before = serviceEvents.length;
      const { text } = await answer;
      expect(text).not.toMatch(/grant|marks|retry|重试/i);
      return serviceEvents.slice(before).filter(({ type }) => type === problem.name);
    };
    const event = { type: problem.name, remedy: problem.remedy, cause: problem.cause };
    expect(await reported(demo.post("/order.json", aPurchase()))).toEqual([event]);
    expect(await reported(deliver(service, order, notification))).toEqual([event]);
    expect(await reported(report(fetching))).toEqual([event]);
    expect(await reported(report(checking))).toEqual([event]);
    broken = false;
    expectAccepted(service, "WALLET_A", await deliver(service, order, notification));
  });

  it("an observer that throws has no effect", async () => {
    const onEvent = () => {
      throw new Error("a broken observer");
    };
    const service = await start({ ports: (ports) => ({ ...ports, observer: { onEvent } }) });
    const order = await created(service, service.demo, aPurchase());
    await paid(service, order);
    expect(await storedOrder(service, service.demo, order.bizNo)).toMatchObject({ paymentStatus: "PAID" });
  });

  it("a login succeeds even if its attempt cannot be given back", async () => {
    const service = await start({
      ports: (ports) => {
        const giveBack = () => errAsync({ name: "storage.unavailable" } as const);
        return { ...ports, quotas: { ...ports.quotas, giveBack } };
      },
    });
    const mobileNo = aMobileNo();
    const authCode = await codeFor(service, service.demo, mobileNo);
    expect((await service.demo.post("/auth.json", { mobileNo, authCode })).json).toMatchObject({ code: 0 });
  });

  it("attempts that were not compared do not count towards the day's limit", async () => {
    const service = await start();
    const mobileNo = aMobileNo();
    const wrong = { mobileNo, authCode: wrongCode(await codeFor(service, service.demo, mobileNo)) };
    for (let tries = 0; tries < 40; tries += 1) await service.demo.post("/auth.json", wrong);
    const authCode = await codeFor(service, service.demo, mobileNo);
    expect((await service.demo.post("/auth.json", { mobileNo, authCode })).json).toMatchObject({ code: 0 });
  });
}

async function aRefundInFlight(service: Service) {
  const order = await created(service, service.demo, aPurchase());
  await paid(service, order);
  walletOf(service, order).failNext("refund", UNKNOWN);
  const refunded = await refund(service, order.bizNo, 200);
  expect(refunded._unsafeUnwrapErr()).toMatchObject({ name: "refund.outcome-unknown" });
  return { order };
}

/** Wraps the wallets so that they read every notification as `held.event`, once it is set. */
function reading(ports: Ports, stored: { readonly event?: WalletEvent }): Ports {
  const wallet = (usual: Ports["wallets"]["WALLET_A"]): Ports["wallets"]["WALLET_A"] => ({
    ...usual,
    readNotification: (...message) =>
      stored.event === undefined ? usual.readNotification(...message) : okAsync(stored.event),
  });
  const { WALLET_A, WALLET_B } = ports.wallets;
  return { ...ports, wallets: { WALLET_A: wallet(WALLET_A), WALLET_B: wallet(WALLET_B) } };
}

async function aRefundEvent(
  { ports }: Service,
  payToolId: string,
  refundNo: string,
  outTradeNo: string,
  amount: number,
): Promise<WalletEvent> {
  const tool = await expectOk(ports.payTools.find(payToolId));
  const merchantId = tool?.accountId ?? "";
  return {
    kind: "refund",
    refund: { state: "CONFIRMED", outTradeNo, refundNo, merchantId, amount, evidence: "late" },
  };
}
