import { createSign } from "node:crypto";
import {
  manyCases,
  walletBillContract,
  type WalletBillHarness,
  walletContract,
} from "@tillkit/contract-tests";
import { orThrow, type PayChannel, type RawNotification, type WalletAccount } from "@tillkit/core";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { faultyWallet } from "./faults.js";
import { openSandbox, type Sandbox } from "./index.js";
import { accountAt, walletsAt } from "./testing/merchant.js";
import { postControl } from "./testing/call-control.js";

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

const openSubMerchantA = () => openFixture("WALLET_A", (sandbox) => subMerchantOf(sandbox, "WALLET_A"));
walletContract("wechat-pay, for a sub-merchant at the sandbox's WALLET_A", openSubMerchantA, {
  paySources: ["APP", "NATIVE", "H5", "JSAPI"],
});
walletBillContract("wechat-pay, for a sub-merchant at the sandbox's WALLET_A", openSubMerchantA);
const openSubMerchantB = () => openFixture("WALLET_B", (sandbox) => subMerchantOf(sandbox, "WALLET_B"));
walletContract("alipay, for a sub-merchant at the sandbox's WALLET_B", openSubMerchantB);
walletBillContract("alipay, for a sub-merchant at the sandbox's WALLET_B", openSubMerchantB);

if (manyCases())
  walletContract("alipay, at the sandbox's WALLET_B, by certificates", () =>
    openFixture("WALLET_B", (sandbox) => {
      const { merchant } = sandbox;
      const { appPrivateKey, appCertificate, walletCertificate, rootCertificate } = merchant.walletB;
      const credentials = {
        appPrivateKey,
        appCertificate,
        alipayCertificate: walletCertificate,
        alipayRootCertificate: rootCertificate,
      };
      return { ...accountAt(sandbox, "WALLET_B"), credentials };
    }),
  );

/** Returns the account of a merchant whose service provider is the sandbox's merchant. */
function subMerchantOf(sandbox: Sandbox, payChannel: PayChannel): WalletAccount {
  const provider = accountAt(sandbox, payChannel);
  const [tools] = sandbox.subMerchants;
  if (tools === undefined) throw new Error("The sandbox has no sub-merchant.");
  const { credentials, ...tool } = tools[payChannel];
  return {
    ...provider,
    ...tool,
    id: "tool-2",
    credentials: { ...credentials, provider: provider.id },
    provider,
  };
}

/** Opens the adapter of a wallet that calls the sandbox over HTTP. */
async function openFixture(
  payChannel: PayChannel,
  accountOf: (sandbox: Sandbox) => WalletAccount = (sandbox) => accountAt(sandbox, payChannel),
) {
  const received: RawNotification[] = [];
  const sandbox = await openSandbox({
    keys,
    refundTime: 0,
    deliver: ({ headers, body }) => {
      received.push({ headers: new Headers(headers), body: new TextEncoder().encode(body) });
      return Promise.resolve({ status: 200, body: "success" });
    },
  });
  const { clock, simulatorControls } = sandbox;
  const port: WalletBillHarness = {
    ...walletsAt(sandbox)[payChannel],
    account: accountOf(sandbox),
    now: () => clock.now(),
    advance: async (ms) => clock.advance(ms),
    openPayment: async (_outTradeNo, payload) => {
      orThrow(simulatorControls.open({ ...payload }));
    },
    pay: async (_outTradeNo, payload) => (await simulatorControls.pay(payload)).isOk(),
    balance: async () => simulatorControls.balance(payChannel),
    injectFault: async (call, how) => {
      const wallet = faultyWallet(payChannel);
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
