import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { alipayWallet } from "@tillkit/alipay";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { PayChannel, PaySource, Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { testWalletKeys } from "@tillkit/test-keys";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import type { ResultAsync } from "neverthrow";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSandbox, type Sandbox } from "./index.js";
import { accountAt, aRequest } from "./testing/merchant.js";
import { postControl } from "./testing/call-control.js";

const LIMITS = { deadline: 60_000 };
const NUMBER = "ORDER_1";

let sandbox: Sandbox;
/** A server in place of the real wallets that counts requests and replies 500. */
let elsewhere: Server;
let came: number;
let wallets: Readonly<Record<PayChannel, Wallet>>;
beforeEach(async () => {
  came = 0;
  elsewhere = createServer((_request, response) => {
    came += 1;
    response.writeHead(500).end();
  }).listen(0, "127.0.0.1");
  await once(elsewhere, "listening");
  const address = elsewhere.address();
  const PROD = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  sandbox = await openSandbox({ keys: testWalletKeys });
  const { clock, addresses } = sandbox;
  const atWalletA = { DEV: addresses.walletA, PROD };
  const atWalletB = { DEV: addresses.walletB, PROD };
  wallets = {
    WALLET_A: wechatPayWallet({ clock, random: systemRandom, gateways: atWalletA }),
    WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: atWalletB })),
  };
});
afterEach(async () => {
  await sandbox.close();
  elsewhere.close();
  elsewhere.closeAllConnections();
});

const accountOf = (payChannel: PayChannel, appEnv: WalletAccount["appEnv"]) => ({
  ...accountAt(sandbox, payChannel),
  appEnv,
});
const known = () => sandbox.simulatorControls.order(NUMBER).isOk();

describe.each(["WALLET_A", "WALLET_B"] as const)("the gateway of the %s adapter", (payChannel) => {
  const request = aRequest(NUMBER, { paySource: "NATIVE" });
  const everyCall = (account: WalletAccount): readonly (() => ResultAsync<unknown, WalletFailure>)[] => {
    const wallet = wallets[payChannel];
    const parameters = { refundNo: "REFUND_1", orderAmount: 600, reason: "x", ...request };
    return [
      () => wallet.prepare(account, request, LIMITS),
      () => wallet.query(account, NUMBER, LIMITS),
      () => wallet.refund(account, parameters, LIMITS),
      () => wallet.queryRefund(account, parameters, LIMITS),
      () => wallet.close(account, NUMBER, LIMITS),
    ];
  };

  it("is the sandbox for DEV, and no other server is called", async () => {
    await expectOk(wallets[payChannel].prepare(accountOf(payChannel, "DEV"), request, LIMITS));
    for (const call of everyCall(accountOf(payChannel, "DEV"))) await call().unwrapOr(undefined);
    expect([known(), came]).toEqual([true, 0]);
  });

  it("is never the sandbox for PROD, for any request", async () => {
    for (const call of everyCall(accountOf(payChannel, "PROD"))) {
      const before = came;
      expect(await expectFailure(call())).toMatchObject({
        name: "wallet.unknown",
        cause: "server-error",
      });
      expect(came).toBeGreaterThan(before);
    }
    expect(known()).toBe(false);
  });
});

describe("payloads that WALLET_B's app signs locally", () => {
  const sign = (appEnv: WalletAccount["appEnv"], paySource: PaySource) => {
    const { clock } = sandbox;
    const request = aRequest(NUMBER, { paySource });
    const prepayment = { issuedAt: clock.now(), validUntil: request.expiresAt, values: {} };
    return wallets.WALLET_B.payload(accountOf("WALLET_B", appEnv), request, prepayment, clock.now());
  };
  const breakPrepayments = async () => {
    await postControl(sandbox, "/faults", { walletB: { prepay: "500" } });
  };

  it.each(["APP", "H5"] as const)("are intercepted by the sandbox for DEV: %s", async (paySource) => {
    await expectOk(sign("DEV", paySource));
    expect(known()).toBe(true);
    await breakPrepayments();
    expect(await expectFailure(sign("DEV", paySource))).toMatchObject({ cause: "server-error" });
  });

  it.each(["APP", "H5"] as const)(
    "are not intercepted for PROD, and no fault applies: %s",
    async (paySource) => {
      await breakPrepayments();
      const payload = await expectOk(sign("PROD", paySource));
      expect(JSON.stringify(payload)).not.toContain(new URL(sandbox.addresses.walletB).host);
      expect(known()).toBe(false);
    },
  );
});
