import {
  configurePayTool,
  type PayChannel,
  type Ports,
  reconcileOrders,
  type Wallet,
  type WalletAccount,
} from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { DAY, MINUTE, unique } from "../../support/fixtures.js";
import { expectOk } from "../../support/open-before-each.js";
import { textAt } from "../../support/http/json.js";
import {
  aPurchase,
  created,
  detail,
  paid,
  refund,
  storedOrder,
  toolOf,
  UNKNOWN,
} from "../../support/http/purchases.js";
import type { StartService } from "../../support/http/service.js";

/** The wallet calls that use the network. */
type Call = "prepare" | "query" | "close" | "refund";

/** Replaces methods of WALLET_A, so that a test can observe its calls. */
function withWalletA(ports: Ports, change: (wallet: Wallet) => Partial<Wallet>): Ports {
  const { WALLET_A: wallet } = ports.wallets;
  return { ...ports, wallets: { ...ports.wallets, WALLET_A: { ...wallet, ...change(wallet) } } };
}

/** Tests the service's wallet calls, their accounts, and wallets that misbehave. */
export function walletCallsContract(start: StartService): void {
  describe("a wallet adapter that throws", () => {
    const throwing = (...calls: readonly Call[]) => {
      const fail = () => {
        throw new Error("a broken adapter");
      };
      return start({
        ports: (ports) => withWalletA(ports, () => Object.fromEntries(calls.map((call) => [call, fail]))),
      });
    };

    it("leaves the outcome of a prepayment unknown, and the order PENDING", async () => {
      const service = await throwing("prepare");
      const purchase = aPurchase();
      expect((await service.demo.post("/order.json", purchase)).code).toBe(30002);
      const order = await storedOrder(service, service.demo, purchase.bizNo);
      expect(order.paymentStatus).toBe("PENDING");
      expect(order.prepaymentClaim).toBeUndefined();
    });

    it("leaves an order PENDING if queries and closes throw", async () => {
      const service = await throwing("query", "close");
      const order = await created(service, service.demo, aPurchase());
      expect((await detail(service.demo, order)).data).toMatchObject({ paymentStatus: "PENDING" });
      service.host.clock.advance(DAY);
      await expectOk(reconcileOrders(service.ports));
      expect((await detail(service.demo, order)).data).toMatchObject({ paymentStatus: "PENDING" });
    });
  });

  it("every call about an order uses the account of its creation, also after another merchant replaced it", async () => {
    const requested: (readonly [call: string, payToolId: string])[] = [];
    const note = (call: Call, { id }: WalletAccount) => void requested.push([call, id]);
    const service = await start({
      ports: (ports) =>
        withWalletA(ports, (wallet) => ({
          prepare: (account, ...more) => {
            note("prepare", account);
            return wallet.prepare(account, ...more);
          },
          query: (account, ...more) => {
            note("query", account);
            return wallet.query(account, ...more);
          },
          refund: (account, ...more) => {
            note("refund", account);
            return wallet.refund(account, ...more);
          },
        })),
    });
    const { demo, ports } = service;
    const order = await created(service, demo, aPurchase());
    const {
      id,
      appId: _app,
      signStatus: _sign,
      gmtCreate: _made,
      gmtModified: _at,
      ...tool
    } = await toolOf(service, "WALLET_A");
    expect(order.payToolId).toBe(id);
    const next = { ...tool, accountId: unique("merchant-"), credentials: { key: "k" } };
    const { payTool } = await expectOk(configurePayTool(ports, demo.appId, next));
    expect(payTool.id).not.toBe(id);
    await detail(demo, order);
    await paid(service, order);
    await expectOk(refund(service, order.bizNo));
    expect(new Set(requested.map(([call]) => call))).toEqual(new Set(["prepare", "query", "refund"]));
    expect(new Set(requested.map(([, payToolId]) => payToolId))).toEqual(new Set([id]));
    const later = await created(service, demo, aPurchase());
    expect(later.payToolId).toBe(payTool.id);
    expect(requested.at(-1)).toEqual(["prepare", payTool.id]);
  });

  it.each<PayChannel>(["WALLET_A"])(
    "every attempt sends %s the same order, after any outcome of the earlier attempts",
    async (payChannel) => {
      const requests: PaymentRequest[] = [];
      const service = await start({
        ports: (ports) =>
          withWalletA(ports, (wallet) => ({
            prepare: (account, request, limits) => {
              requests.push(request);
              return wallet.prepare(account, request, limits);
            },
            payload: (account, request, ...more) => {
              requests.push(request);
              return wallet.payload(account, request, ...more);
            },
          })),
      });
      const { demo, host } = service;
      const purchase = aPurchase({ payChannel });
      host.wallets[payChannel].failNext("prepare", UNKNOWN);
      expect((await demo.post("/order.json", purchase)).code).toBe(30002);
      for (let tries = 0; tries < 3; tries += 1) {
        host.clock.advance(30 * MINUTE);
        expect((await demo.post("/order.json", purchase)).code).toBe(0);
      }
      const order = await storedOrder(service, demo, purchase.bizNo);
      expect(requests.length).toBeGreaterThan(4);
      const { id: outTradeNo, amount, goodsTitle, notifyUrl, expiresAt } = order;
      for (const request of requests) {
        expect(request).toMatchObject({ outTradeNo, amount, goodsTitle, notifyUrl, expiresAt });
        expect(request).toEqual(requests[0]);
      }
    },
  );

  it("the claim of a prepayment lasts as long as the wallet's deadline", async () => {
    const lasting: number[] = [];
    const service = await start({
      ports: (ports) =>
        withWalletA(ports, (wallet) => ({
          prepare: (account, request, limits) => {
            const now = ports.clock.now();
            return ports.orders
              .findById(request.outTradeNo)
              .map((order) => lasting.push((order?.prepaymentClaim?.until ?? 0) - now - limits.deadline))
              .mapErr(() => UNKNOWN)
              .andThen(() => wallet.prepare(account, request, limits));
          },
        })),
    });
    const purchase = aPurchase();
    service.host.wallets.WALLET_A.failNext("prepare", UNKNOWN);
    expect((await service.demo.post("/order.json", purchase)).code).toBe(30002);
    expect((await service.demo.post("/order.json", purchase)).code).toBe(0);
    expect(lasting).toHaveLength(2);
    for (const rest of lasting) expect(rest).toBeGreaterThan(0);
  });

  it("every caller gets the prepayment that was stored first", async () => {
    const service = await start({
      ports: (ports) =>
        withWalletA(ports, (wallet) => ({
          prepare: (account, request, limits) =>
            wallet.prepare(account, request, limits).andThen((prepayment) =>
              ports.orders
                .findById(request.outTradeNo)
                .andThen((order) =>
                  ports.orders.attachPrepayment(
                    { appId: account.appId, bizNo: order?.bizNo ?? "" },
                    { ...prepayment, values: { prepayId: "of-another-process" } },
                  ),
                )
                .map(() => prepayment)
                .mapErr(() => UNKNOWN),
            ),
        })),
    });
    const purchase = aPurchase();
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await service.demo.post("/order.json", purchase);
      expect(textAt(answer.data, "prepayid")).toBe("of-another-process");
    }
  });

  it.each([
    ["PAID", 50003],
    ["CLOSE", 50004],
  ] as const)("an order that becomes %s during the wallet call gets no payload: %i", async (to, code) => {
    const service = await start({
      ports: (ports) =>
        withWalletA(ports, (wallet) => ({
          prepare: (account, request, limits) =>
            wallet.prepare(account, request, limits).andThen((prepayment) =>
              ports.orders
                .findById(request.outTradeNo)
                .andThen((order) =>
                  ports.orders.transition(
                    { appId: account.appId, bizNo: order?.bizNo ?? "" },
                    {
                      from: "PENDING",
                      to,
                      at: ports.clock.now(),
                      entry: {
                        type: to === "PAID" ? "PAID" : "CLOSED",
                        at: ports.clock.now(),
                        actor: "wallet",
                        reason: "meanwhile",
                        from: "PENDING",
                        to,
                        alarm: false,
                      },
                    },
                  ),
                )
                .map(() => prepayment)
                .mapErr(() => UNKNOWN),
            ),
        })),
    });
    expect(await service.demo.post("/order.json", aPurchase())).toMatchObject({ code, data: undefined });
  });
}
