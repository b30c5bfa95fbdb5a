import { createPrivateKey, type KeyObject } from "node:crypto";
import type { PayChannel, RawNotification } from "@tillkit/core";
import {
  expectOk,
  smsSenderContract,
  type SpoiltCall,
  type SpoiltHow,
  walletContract,
  type WalletStage,
} from "@tillkit/contract-tests";
import { inject } from "vitest";
import { openSandbox, type Sandbox } from "./index.js";
import { signBytes, signText } from "./shared/rsa.js";
import { sentSms } from "./sms-outbox.js";
import { messageBytes } from "./wallet-a/sign.js";
import { formText, notificationText, readForm } from "./wallet-b/sign.js";

const keys = inject("sandboxKeys");
const PROBE = "WECHATPAY/SIGNTEST/c2lnbmF0dXJl";
const stranger = createPrivateKey(keys.retired.privateKey);

walletContract("sandbox WALLET_A", () => openStage("WALLET_A"));
walletContract("sandbox WALLET_B", () => openStage("WALLET_B"));

smsSenderContract("sandbox", async () => {
  const sandbox = await openSandbox({ keys });
  const { smsSender, control } = sandbox;
  const request = { headers: {}, query: "" };
  const port = {
    ...smsSender,
    taken: async () => {
      const reply = await control.handle({ ...request, method: "GET", path: "/sms", body: new Uint8Array() });
      return sentSms.array().parse(JSON.parse(reply.body));
    },
    spoil: async (how: "reject" | "timeout" | null) => {
      const body = new TextEncoder().encode(JSON.stringify({ sms: how }));
      await control.handle({ ...request, method: "POST", path: "/faults", body });
    },
  };
  return { port, close: () => sandbox.close() };
});

async function openStage(payChannel: PayChannel) {
  const received: RawNotification[] = [];
  const sandbox = await openSandbox({
    keys,
    refundNoticeAfter: 0,
    deliver: ({ headers, body }) => {
      received.push({ headers, body: new TextEncoder().encode(body) });
      return Promise.resolve(
        payChannel === "WALLET_A" ? { status: 204, body: "" } : { status: 200, body: "success" },
      );
    },
  });
  const { clock, desk, payTools, wallets } = sandbox;
  const record = { id: "tool-1", appId: "app-1", signStatus: "OK", gmtCreate: 0, gmtModified: 0 } as const;
  const port: WalletStage = {
    ...wallets[payChannel],
    account: { ...payTools[payChannel], ...record },
    now: () => clock.now(),
    openPayment: async (outTradeNo) => {
      await expectOk(Promise.resolve(desk.open(outTradeNo)));
    },
    pay: async (outTradeNo) => (await desk.pay(outTradeNo)).isOk(),
    balance: async () => desk.balance(payChannel),
    spoil: (call, how) => spoil(sandbox, payChannel, call, how),
    notifications: async () => received,
    probe: async ({ headers, body }) =>
      payChannel === "WALLET_A" ? { headers: { ...headers, "wechatpay-signature": PROBE }, body } : undefined,
    forge: (message) => (payChannel === "WALLET_A" ? forgeA(message, stranger) : forgeB(message, stranger)),
  };
  return { port, close: () => sandbox.close() };
}

const CALLS = {
  prepare: "prepay",
  query: "query",
  close: "close",
  refund: "refund",
  queryRefund: "query",
} as const;
const WAYS = { timeout: "timeout", hang: "hang", "server-error": "500", reject: "reject" } as const;

async function spoil({ control }: Sandbox, payChannel: PayChannel, call: SpoiltCall, how: SpoiltHow | null) {
  const wallet = payChannel === "WALLET_A" ? "walletA" : "walletB";
  const change = { [wallet]: { [CALLS[call]]: how === null ? null : WAYS[how] } };
  const body = new TextEncoder().encode(JSON.stringify(change));
  await control.handle({ method: "POST", path: "/faults", query: "", headers: {}, body });
}

async function forgeA({ headers, body }: RawNotification, key: KeyObject): Promise<RawNotification> {
  const { "wechatpay-timestamp": timestamp = "", "wechatpay-nonce": nonce = "" } = headers;
  const signature = await signBytes(messageBytes(timestamp, nonce, body), key);
  return { headers: { ...headers, "wechatpay-signature": signature }, body };
}

async function forgeB({ headers, body }: RawNotification, key: KeyObject): Promise<RawNotification> {
  const form = readForm(body) ?? {};
  const sign = await signText(notificationText(form), key);
  return { headers, body: new TextEncoder().encode(formText({ ...form, sign })) };
}
