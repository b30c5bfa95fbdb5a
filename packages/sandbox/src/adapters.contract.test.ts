import { createSign } from "node:crypto";
import {
  manyCases,
  walletBillContract,
  type WalletBillHarness,
  walletContract,
} from "@tillkit/contract-tests";
import type { PayChannel, RawNotification, WalletAccount } from "@tillkit/core";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { openSandbox, type Sandbox } from "./index.js";
import { accountAt, walletsAt } from "./testing/merchant.js";
import { postControl } from "./testing/post-control.js";

const CALLS = {
  prepare: "prepay",
  query: "query",
  close: "close",
  refund: "refund",
  queryRefund: "refundQuery",
  readBill: "bill",
  readFundFlow: "bill",
} as const;
// The connection is cut instead of silent, so that no test waits for a deadline.
const WAYS = {
  timeout: "reset-after",
  hang: "hang",
  "server-error": "500",
  reject: "reject",
  unsigned: "unsigned",
} as const;

const PROBE = "WECHATPAY/SIGNTEST/c2lnbmF0dXJl";

const openWechatPay = () => openFixture("WALLET_A");
walletContract("wechat-pay, at the sandbox's WALLET_A", openWechatPay, {
  paySources: ["APP", "NATIVE", "H5", "JSAPI"],
});
walletBillContract("wechat-pay, at the sandbox's WALLET_A", openWechatPay);

const openAlipay = () => openFixture("WALLET_B");
walletContract("alipay, at the sandbox's WALLET_B", openAlipay);
walletBillContract("alipay, at the sandbox's WALLET_B", openAlipay);
if (manyCases())
  walletContract("alipay, at the sandbox's WALLET_B, by certificates", () =>
    openFixture("WALLET_B", ({ merchant }) => {
      const { appPrivateKey, appCertificate, walletCertificate, rootCertificate } = merchant.walletB;
      return {
        appPrivateKey,
        appCertificate,
        alipayCertificate: walletCertificate,
        alipayRootCertificate: rootCertificate,
      };
    }),
  );

/** Opens the adapter of a wallet that calls the sandbox over HTTP. */
async function openFixture(
  payChannel: PayChannel,
  credentialsOf: (sandbox: Sandbox) => WalletAccount["credentials"] = ({ payTools }) =>
    payTools[payChannel].credentials,
) {
  const received: RawNotification[] = [];
  const sandbox = await openSandbox({
    keys,
    refundNotificationDelay: 0,
    deliver: ({ headers, body }) => {
      received.push({ headers: new Headers(headers), body: new TextEncoder().encode(body) });
      return Promise.resolve({ status: 200, body: "success" });
    },
  });
  const { clock, simulatorControls } = sandbox;
  const port: WalletBillHarness = {
    ...walletsAt(sandbox)[payChannel],
    account: { ...accountAt(sandbox, payChannel), credentials: credentialsOf(sandbox) },
    now: () => clock.now(),
    advance: async (ms) => clock.advance(ms),
    openPayment: async (_outTradeNo, payload) => {
      simulatorControls.open({ ...payload })._unsafeUnwrap();
    },
    pay: async (_outTradeNo, payload) => (await simulatorControls.pay({ ...payload })).isOk(),
    balance: async () => simulatorControls.balance(payChannel),
    injectFault: async (call, how) => {
      const wallet = payChannel === "WALLET_A" ? "walletA" : "walletB";
      await postControl(sandbox, "/faults", {
        [wallet]: { [CALLS[call]]: how === null ? null : WAYS[how] },
      });
    },
    notifications: async () => received,
    probe: async ({ headers, body }) =>
      payChannel === "WALLET_A" ? { headers: signedBy(headers, PROBE), body } : undefined,
    forge: async (message) => (payChannel === "WALLET_A" ? forgedHeader(message) : forgedForm(message)),
  };
  return { port, close: () => sandbox.close() };
}

function signedByStranger(text: string): string {
  return createSign("RSA-SHA256").update(text).sign(keys.retired.privateKey, "base64");
}

function forgedHeader({ headers, body }: RawNotification): RawNotification {
  const [timestamp, nonce] = ["timestamp", "nonce"].map((name) => headers.get(`wechatpay-${name}`) ?? "");
  const lines = `${timestamp}\n${nonce}\n${new TextDecoder().decode(body)}\n`;
  return { headers: signedBy(headers, signedByStranger(lines)), body };
}

function signedBy(headers: RawNotification["headers"], signature: string): RawNotification["headers"] {
  return { get: (name) => (name === "wechatpay-signature" ? signature : headers.get(name)) };
}

function forgedForm({ headers, body }: RawNotification): RawNotification {
  const { sign: _theirs, ...facts } = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body)));
  const text = Object.entries(facts)
    .filter(([name]) => name !== "sign_type")
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  const form = new URLSearchParams({ ...facts, sign: signedByStranger(text) });
  return { headers, body: new TextEncoder().encode(form.toString()) };
}
