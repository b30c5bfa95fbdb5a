import { errAsync, okAsync } from "neverthrow";
import { expect, it } from "vitest";
import type { ServiceEvent } from "../events/observer.js";
import type { Ports } from "../ports.js";
import { account, anOrder, stub } from "../testing/stubs.js";
import { aboutAccount, aboutOrder, callWallet } from "./call-wallet.js";

const events: ServiceEvent[] = [];
const ports = stub<Ports>({
  clock: { now: () => 0, sleep: () => new Promise<never>(() => undefined) },
  observer: { onEvent: (event) => events.splice(0, events.length, event) },
  wallets: { WALLET_A: stub({}), WALLET_B: stub({}) },
});

const order = anOrder({ goodsTitle: "Blue sofa", customerIdentity: "kim-9", bizNo: "buy-7" });

it("emits the order of a call and the wallet's refusal, without texts of the order", async () => {
  const detail = "PARAM_ERROR: Blue sofa of kim-9 (buy-7, 13800138000) is not allowed";
  const rejected = { name: "wallet.rejected", reason: "other", trusted: true, detail } as const;
  await callWallet(ports, aboutOrder(order, "r-1"), "refund", () => errAsync(rejected));
  expect(events).toEqual([
    {
      type: "wallet.called",
      payChannel: order.payChannel,
      payToolId: order.payToolId,
      appId: order.appId,
      orderId: order.id,
      refundNo: "r-1",
      call: "refund",
      outcome: "rejected",
      reason: "other",
      durationMs: 0,
      detail: "PARAM_ERROR: … of … (…, …) is not allowed",
    },
  ]);
});

it("emits a call about an account without an order, and a success without a detail", async () => {
  await callWallet(ports, aboutAccount(account), "readBill", () => okAsync(1));
  const { payChannel, id: payToolId, appId } = account;
  const call = { call: "readBill", outcome: "ok", durationMs: 0 };
  expect(events).toEqual([{ type: "wallet.called", payChannel, payToolId, appId, ...call }]);
});
