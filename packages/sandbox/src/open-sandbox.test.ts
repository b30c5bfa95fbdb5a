import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, rmdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { orThrow, type PayChannel } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSandbox, type Sandbox, sandboxClock, type SandboxOptions } from "./index.js";
import { envelope } from "./testing/json.js";
import { accountAt, aRequest, issuePayload, walletsAt } from "./testing/merchant.js";
import { callControl, postControl } from "./testing/call-control.js";

const EXPIRES_AT = Date.now() + 7_200_000;
const LIMITS = { deadline: 60_000 };
/** A refund of one yuan. */
const REFUND = {
  refundNo: "R-1",
  amount: 100,
  orderAmount: 600,
  reason: "asked",
  notifyUrl: "http://127.0.0.1/n",
};

describe("openSandbox", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("does not open in production, with an instruction in the error", async () => {
    vi.stubEnv("NODE_ENV", "production");
    await expect(openSandbox({ keys })).rejects.toThrow(/NODE_ENV is production. Configure real wallets/);
  });

  it("opens in every other environment", async () => {
    for (const environment of ["development", "test", ""]) {
      vi.stubEnv("NODE_ENV", environment);
      await (await openSandbox({ keys })).close();
    }
  });

  it("uses the given clock", async () => {
    const clock = sandboxClock();
    const sandbox = await openSandbox({ keys, clock });
    clock.advance(86_400_000);
    expect(sandbox.clock.now()).toBeGreaterThan(Date.now() + 86_000_000);
  });
});

describe("refund notifications", () => {
  for (const payChannel of ["WALLET_A", "WALLET_B"] as const) {
    it(`are sent once per refund: ${payChannel}`, async () => {
      const bodies: Uint8Array[] = [];
      const headers: Headers[] = [];
      const sandbox = await openSandbox({
        keys,
        deliver: async (delivery) => {
          bodies.push(new TextEncoder().encode(delivery.body));
          headers.push(new Headers(delivery.headers));
          return payChannel === "WALLET_A" ? { status: 204, body: "" } : { status: 200, body: "success" };
        },
      });
      const wallet = walletsAt(sandbox)[payChannel];
      const account = accountAt(sandbox, payChannel);
      await order(sandbox, payChannel);
      await sandbox.simulatorControls.pay("ORDER_1");
      const refund = {
        outTradeNo: "ORDER_1",
        refundNo: "R-1",
        amount: 600,
        orderAmount: 600,
        reason: "asked",
        notifyUrl: "http://127.0.0.1/n",
      };
      await expectOk(wallet.refund(account, refund, LIMITS));
      await expectOk(wallet.refund(account, refund, LIMITS));
      expect(bodies).toHaveLength(1);
      await postControl(sandbox, "/clock", { advanceMs: payChannel === "WALLET_A" ? 180_000 : 1_000 });
      await sandbox.close();
      expect(bodies).toHaveLength(2);
      const message = { headers: headers[1]!, body: bodies[1]! };
      const event = wallet.readNotification(account, message, { now: Date.now(), skew: 300_000 });
      const expected =
        payChannel === "WALLET_A"
          ? {
              kind: "refund",
              refund: { state: "CONFIRMED", refundNo: "R-1", amount: 600, outTradeNo: "ORDER_1" },
            }
          : { kind: "payment", order: { state: "REFUNDED", outTradeNo: "ORDER_1" } };
      expect(await expectOk(event)).toMatchObject(expected);
    });
  }
});

describe("a state file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sandbox-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const open = (options: SandboxOptions = {}) =>
    openSandbox({
      stateFile: join(folder, "deep", "sandbox.jsonl"),
      deliver: async () => ({ status: 204, body: "" }),
      ...options,
    });

  it("names its other process for an order that only the other process knows", async () => {
    const [first, second] = [await open(), await open()];
    await order(first, "WALLET_A");
    const outTradeNo = "ORDER_1";
    for (const path of ["/pay", "/notify", "/console-refund"]) {
      const { status, body } = await postControl(second, path, { outTradeNo });
      expect(status).toBe(409);
      expect(body).toContain("Another process wrote this order to the state file");
    }
    expect((await postControl(second, "/pay", { outTradeNo: "NONE" })).status).toBe(404);
    expect((await postControl(first, "/pay", { outTradeNo })).status).toBe(200);
    await first.close();
    await second.close();
  });

  it("keeps keys, orders and messages for the next process", async () => {
    const first = await open();
    expect(first.keys.walletB.appPublicKey).toContain("BEGIN PUBLIC KEY");
    expect(first.keys.walletB.appPublicKey).not.toBe(keys.walletB.app.publicKey);
    await order(first, "WALLET_A");
    await first.smsSender.send({
      appId: "app_1",
      purpose: "login",
      mobileNo: "+8613800138000",
      authCode: "012345",
      ttl: 1,
    });
    // A killed process closes nothing, so the first sandbox stays open.
    const second = await open();
    expect(second.keys).toEqual(first.keys);
    expect(orThrow(second.simulatorControls.order("ORDER_1"))).toMatchObject({
      state: "NOTPAY",
      prepayCount: 1,
    });
    await second.simulatorControls.pay("ORDER_1");
    const third = await open();
    expect(orThrow(third.simulatorControls.order("ORDER_1"))).toMatchObject({
      state: "PAID",
      amount: 600,
    });
    const sms = await callControl(third, "GET", "/sms");
    expect(JSON.parse(sms.body)).toMatchObject([{ authCode: "012345" }]);
  });

  it("keeps the outcome of a refund, its notification and the merchant's balance for the next process", async () => {
    const reported: string[] = [];
    const deliver = ({ body }: { readonly body: string }) => {
      reported.push(envelope(body).event_type);
      return Promise.resolve({ status: 204, body: "" });
    };
    const first = await open({ keys });
    await order(first, "WALLET_A");
    await first.simulatorControls.pay("ORDER_1");
    await postControl(first, "/refunds", { walletA: { takes: 86_400_000, ends: "CLOSED" } });
    await postControl(first, "/funds", { walletA: 700 });
    const request = { ...REFUND, outTradeNo: "ORDER_1" };
    const account = accountAt(first, "WALLET_A");
    await expectOk(walletsAt(first).WALLET_A.refund(account, request, LIMITS));
    expect(first.refundControls.funds()).toEqual({ walletA: 600, walletB: null });
    const second = await open({ keys, deliver });
    expect(second.refundControls.funds()).toEqual({ walletA: 600, walletB: null });
    expect(orThrow(second.refundControls.refund("R-1"))).toMatchObject({ state: "PROCESSING" });
    await postControl(second, "/clock", { advanceMs: 86_400_000 });
    expect(orThrow(second.refundControls.refund("R-1"))).toMatchObject({ state: "CLOSED" });
    expect(second.refundControls.funds()).toEqual({ walletA: 700, walletB: null });
    expect(reported).toEqual(["REFUND.CLOSED"]);
    // The rules have their defaults again.
    const rules = await callControl(second, "GET", "/refunds");
    expect(JSON.parse(rules.body)).toMatchObject({ walletA: { takes: 180_000, ends: "SUCCESS" } });
    await Promise.all([first.close(), second.close()]);
  });

  it("keeps the moves of the clock by the control interface", async () => {
    const first = await open({ keys });
    await postControl(first, "/clock", { advanceMs: 86_400_000 });
    await postControl(first, "/clock", { advanceMs: 86_400_000 });
    const second = await open({ keys });
    expect(second.clock.now()).toBeGreaterThan(Date.now() + 2 * 86_400_000 - 60_000);
  });

  it("returns an earlier prepayment again after a restart, because its response may have been lost", async () => {
    await order(await open({ keys }), "WALLET_A");
    const second = await open({ keys });
    await order(second, "WALLET_A");
    expect(orThrow(second.simulatorControls.order("ORDER_1"))).toMatchObject({ prepayCount: 1 });
    await order(second, "WALLET_A");
    expect(orThrow(second.simulatorControls.order("ORDER_1"))).toMatchObject({ prepayCount: 2 });
  });

  for (const payChannel of ["WALLET_A", "WALLET_B"] as const) {
    it(`treats an earlier order with another return URL as the same after a restart: ${payChannel}`, async () => {
      await order(await open({ keys }), payChannel, { returnUrl: "http://127.0.0.1:8001/return" });
      const second = await open({ keys });
      await order(second, payChannel, { returnUrl: "http://127.0.0.1:8002/return" });
      expect(orThrow(second.simulatorControls.order("ORDER_1"))).toMatchObject({
        state: "NOTPAY",
        prepayCount: 1,
      });
    });
  }

  it("that cannot be written makes the wallets and the carrier refuse calls until it can be written", async () => {
    const sandbox = await open({ keys });
    await order(sandbox, "WALLET_A");
    const file = join(folder, "deep", "sandbox.jsonl");
    // A folder instead of the file makes every write fail, as a full disk does.
    renameSync(file, `${file}.aside`);
    mkdirSync(file);
    const sms = {
      appId: "app_1",
      purpose: "login",
      mobileNo: "+8613800138000",
      authCode: "012345",
      ttl: 1,
    } as const;
    const late = aRequest("ORDER_2", { expiresAt: EXPIRES_AT });
    expect(await expectFailure(issuePayload(sandbox, "WALLET_A", late))).toMatchObject({
      name: "wallet.unknown",
    });
    expect((await sandbox.smsSender.send(sms))._unsafeUnwrapErr()).toMatchObject({ name: "sms.rejected" });
    expect((await postControl(sandbox, "/pay", { outTradeNo: "ORDER_1" })).status).toBe(500);
    expect((await postControl(sandbox, "/clock", { advanceMs: 1_000 })).status).toBe(500);
    expect(orThrow(sandbox.simulatorControls.order("ORDER_1"))).toMatchObject({ state: "NOTPAY" });
    rmdirSync(file);
    renameSync(`${file}.aside`, file);
    await expectOk(issuePayload(sandbox, "WALLET_A", late));
    await expectOk(sandbox.smsSender.send(sms));
    expect((await postControl(sandbox, "/pay", { outTradeNo: "ORDER_1" })).status).toBe(200);
    const second = await open({ keys });
    expect(orThrow(second.simulatorControls.order("ORDER_1"))).toMatchObject({ state: "PAID" });
    expect(orThrow(second.simulatorControls.order("ORDER_2"))).toMatchObject({ state: "NOTPAY" });
  });

  it("survives an incomplete line, and is readable only by its owner", async () => {
    const first = await open({ keys });
    await order(first, "WALLET_B");
    const file = join(folder, "deep", "sandbox.jsonl");
    appendFileSync(file, '{"kind":"order-b","val');
    const second = await open({ keys });
    await second.simulatorControls.pay("ORDER_1");
    const third = await open({ keys });
    expect(orThrow(third.simulatorControls.order("ORDER_1"))).toMatchObject({ state: "PAID" });
    expect(statSync(file).mode & 0o077).toBe(0);
  });
});

/** Prepares the order of a test at the wallet. */
async function order(
  sandbox: Sandbox,
  payChannel: PayChannel,
  changes: Partial<PaymentRequest> = {},
): Promise<void> {
  await expectOk(
    issuePayload(sandbox, payChannel, aRequest("ORDER_1", { expiresAt: EXPIRES_AT, ...changes })),
  );
}
