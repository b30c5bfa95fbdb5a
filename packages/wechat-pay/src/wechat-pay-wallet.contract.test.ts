import { type FaultyCall, type FaultKind, walletContract, type WalletHarness } from "@tillkit/contract-tests";
import { systemClock, systemRandom } from "@tillkit/runtime";
import { expect } from "vitest";
import * as keys from "./testing/keys.js";
import { wechatLedger } from "./testing/wechat-ledger.js";
import { openWire, signedHeaders, type WireCall } from "./testing/wechat-wire.js";
import { wechatPayWallet } from "./wechat-pay-wallet.js";

const PROBE = "WECHATPAY/SIGNTEST/c2lnbmF0dXJl";
const now = () => systemClock.now();

const openFixture = async () => {
  const ledger = wechatLedger(now);
  const faulty = new Map<FaultyCall, FaultKind>();
  const wire = await openWire((call, response) => {
    const how = faulty.get(callOf(call));
    if (how === "hang") return undefined;
    if (how === "server-error") return { status: 500, body: '{"code":"SYSTEM_ERROR"}', proof: "none" };
    if (how === "reject") return { status: 403, body: '{"code":"RULE_LIMIT"}' };
    const reply = ledger.answer(call);
    if (how === undefined) return reply;
    if (how === "unsigned") return { ...reply, proof: "none" };
    // The server executed the request, and the response is lost.
    response.destroy();
    return undefined;
  }, now);
  const wallet = wechatPayWallet({
    clock: systemClock,
    random: systemRandom,
    gateways: { DEV: wire.url },
    payerClientIp: () => "8.8.8.8",
  });
  const port: WalletHarness = {
    ...wallet,
    account: keys.account,
    now,
    openPayment: async () => {},
    pay: async (outTradeNo, payload) => ledger.pay(outTradeNo, payload),
    balance: async () => ledger.balance(),
    injectFault: async (call, how) => {
      if (how === null) faulty.delete(call);
      else faulty.set(call, how);
    },
    notifications: async () => ledger.sent,
    forge: async ({ body }) => ({
      headers: new Headers(
        signedHeaders(Buffer.from(body).toString("utf8"), {
          serial: keys.PLATFORM_SERIAL,
          key: keys.stranger.privateKey,
          now: now(),
        }),
      ),
      body,
    }),
    probe: async ({ headers, body }) => ({
      headers: { get: (name) => (name === "wechatpay-signature" ? PROBE : headers.get(name)) },
      body,
    }),
  };
  const close = async () => {
    await wire.close();
    expect(wire.refused).toEqual([]);
  };
  return { port, close };
};

walletContract("WeChat Pay over HTTP", openFixture, { paySources: ["APP", "H5", "NATIVE", "JSAPI"] });

function callOf({ method, target }: WireCall): FaultyCall {
  if (target.includes("/refund/")) return method === "POST" ? "refund" : "queryRefund";
  if (target.endsWith("/close")) return "close";
  return method === "POST" ? "prepare" : "query";
}
