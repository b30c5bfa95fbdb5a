import { expectFailure, expectOk, MINUTE } from "@tillkit/contract-tests";
import {
  configurePayTool,
  createApp,
  createOrder,
  createOrderInput,
  parseInput,
  PAY_CHANNELS,
  type PayChannel,
  policyWith,
} from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { memoryPorts, type MemoryPorts } from "./memory-ports.js";
import { testClock } from "./test-clock.js";

async function openShop(ports: MemoryPorts, payChannel: PayChannel): Promise<string> {
  const { app } = await expectOk(createApp(ports, { name: "Demo" }));
  const { payTool, problems } = await expectOk(
    configurePayTool(ports, app.appId, {
      payChannel,
      accountId: "1900000001",
      walletAppId: "wx0000000000000001",
      appEnv: "DEV",
      appName: "Demo",
      appPackageName: "com.example.demo",
      appSignature: "",
      credentials: {},
    }),
  );
  expect(problems).toEqual([]);
  expect(payTool.signStatus).toBe("OK");
  return app.appId;
}

async function anInput(ports: MemoryPorts, payChannel: PayChannel, paySource: string) {
  const raw = {
    amount: 600,
    bizNo: "b-1",
    goodsTitle: "VIP",
    payChannel,
    paySource,
    customerIdentity: "u-1",
  };
  const input = parseInput(createOrderInput(ports.policy), raw);
  if (input.isErr()) throw new Error(input.error.name);
  return input.value;
}

describe("memoryPorts", () => {
  it.each(PAY_CHANNELS)("is sufficient to create and pay an order: %s", async (payChannel) => {
    const ports = memoryPorts();
    const appId = await openShop(ports, payChannel);
    const { order } = await expectOk(createOrder(ports, appId, await anInput(ports, payChannel, "APP")));
    ports.wallets[payChannel].pay(order.id);
    const account = await expectOk(ports.payTools.current(appId, payChannel));
    if (account === undefined) throw new Error("No account.");
    const notification = ports.wallets[payChannel].notificationFor(order.id);
    const time = { now: ports.clock.now(), skew: ports.policy.notificationSkew };
    expect(
      await expectOk(ports.wallets[payChannel].readNotification(account, notification, time)),
    ).toMatchObject({
      kind: "payment",
      order: { state: "PAID", outTradeNo: order.id },
    });
  });

  it("lets waiting callers finish although its clock stands still", async () => {
    const ports = memoryPorts();
    const appId = await openShop(ports, "WALLET_A");
    const input = await anInput(ports, "WALLET_A", "NATIVE");
    const checkouts = await Promise.all(
      Array.from({ length: 50 }, () => expectOk(createOrder(ports, appId, input))),
    );
    expect(new Set(checkouts.map(({ payload }) => JSON.stringify(payload))).size).toBe(1);
    expect(ports.wallets.WALLET_A.prepareCount(checkouts[0]?.order.id ?? "")).toBe(1);
  });

  it("continues after a lost response of a wallet", async () => {
    const ports = memoryPorts();
    const appId = await openShop(ports, "WALLET_A");
    const input = await anInput(ports, "WALLET_A", "APP");
    ports.wallets.WALLET_A.failNext(
      "prepare",
      { name: "wallet.unknown", cause: "timeout", detail: "" },
      "after",
    );
    const failure = await expectFailure(createOrder(ports, appId, input));
    expect(failure.name).toBe("wallet-a.unavailable");
    const { order } = await expectOk(createOrder(ports, appId, input));
    expect(ports.wallets.WALLET_A.prepareCount(order.id)).toBe(2);
  });

  it("creates independent ports at each call", async () => {
    const [left, right] = [memoryPorts(), memoryPorts()];
    const appId = await openShop(left, "WALLET_A");
    expect(await expectOk(right.apps.find(appId))).toBeUndefined();
    left.clock.advance(MINUTE);
    expect(right.clock.now()).toBe(left.clock.now() - MINUTE);
  });

  it("uses the caller's ports instead of its own, and the caller's clock for its wallets", async () => {
    const clock = testClock(5);
    const policy = policyWith({ maxSessions: 1 });
    const ports = memoryPorts({ clock, policy, notificationsUrl: "https://shop.example" });
    expect(ports).toMatchObject({ policy, notificationsUrl: "https://shop.example" });
    expect(ports.clock).toBe(clock);
    const appId = await openShop(ports, "WALLET_B");
    const { order } = await expectOk(createOrder(ports, appId, await anInput(ports, "WALLET_B", "APP")));
    clock.advance(7);
    ports.wallets.WALLET_B.pay(order.id);
    const account = await expectOk(ports.payTools.current(appId, "WALLET_B"));
    if (account === undefined) throw new Error("No account.");
    const stated = await expectOk(ports.wallets.WALLET_B.query(account, order.id, { deadline: 1 }));
    expect(stated?.paidAt).toBe(12);
  });
});
