import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { WalletAccount } from "@tillkit/core";
import { isSameMerchant } from "@tillkit/core/ports";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { Aes } from "wechatpay-axios-plugin";
import { BILL, PAYMENT } from "./testing/bill-text.js";
import { account, API_V3_KEY, MODERN_ID, modern, NOW } from "./testing/keys.js";
import { openWallet } from "./testing/open-wallet.js";
import { LIMITS, refundRequest, request } from "./testing/requests.js";
import { signedHeaders } from "./testing/wechat-wire.js";

// Each answer names a merchant. Only this merchant differs from the one that made the request.

const SHOP = "1900000201";
const shop: WalletAccount = {
  ...account,
  id: "shop",
  accountId: SHOP,
  credentials: { provider: "provider" },
  provider: { ...account, id: "provider" },
};
const PARTNER = {
  sp_mchid: account.accountId,
  sp_appid: account.walletAppId,
  sub_mchid: SHOP,
  sub_appid: "",
};
const DIRECT = { mchid: SHOP, appid: account.walletAppId };

/** Accounts, and how an answer names another merchant than theirs. */
const OTHERS = [
  ["a sub-merchant", shop, "another sub-merchant", { ...PARTNER, sub_mchid: "1900000202" }],
  ["a sub-merchant", shop, "another provider", { ...PARTNER, sp_mchid: "1900000888" }],
  ["a sub-merchant", shop, "the same number without a provider", DIRECT],
  ["a merchant", account, "another merchant", { ...DIRECT, mchid: "1900000202" }],
  ["a merchant", account, "its sub-merchant", PARTNER],
  [
    "a merchant",
    account,
    "a sub-merchant of the same number",
    { ...PARTNER, sp_mchid: "1900000888", sub_mchid: account.accountId },
  ],
] as const;
const OF_PARTNERS = OTHERS.filter(([, by]) => by === shop);

const transaction = (merchant: object, trade_state = "SUCCESS") => ({
  ...merchant,
  out_trade_no: request.outTradeNo,
  trade_state,
  transaction_id: "4200001",
  success_time: "2026-11-20T20:00:00+08:00",
  amount: { total: 100, currency: "CNY" },
});
const refund = (merchant: object) => ({
  ...merchant,
  refund_id: "5001",
  out_refund_no: refundRequest.refundNo,
  out_trade_no: refundRequest.outTradeNo,
  amount: { total: 100, refund: 50 },
});
const answering = async (answer: object) => {
  const { wallet } = await openWallet(() => ({ status: 200, body: JSON.stringify(answer) }));
  return wallet;
};

describe.each(OTHERS)("for %s, an answer about another one", (_who, by, _what, merchant) => {
  it(`is not its order: ${_what}`, async () => {
    const wallet = await answering(transaction(merchant));
    const order = await expectOk(wallet.query(by, request.outTradeNo, LIMITS));
    expect(order).toMatchObject({ state: "PAID", outTradeNo: request.outTradeNo });
    expect(order && isSameMerchant(by, order)).toBe(false);
  });

  it(`does not close its order: ${_what}`, async () => {
    for (const state of ["CLOSED", "SUCCESS"]) {
      const { wallet } = await openWallet(({ method }) =>
        method === "POST"
          ? { status: 400, body: '{"code":"ORDER_CLOSED"}', proof: "none" }
          : { status: 200, body: JSON.stringify(transaction(merchant, state)) },
      );
      expect(await expectFailure(wallet.close(by, request.outTradeNo, LIMITS))).toMatchObject({
        name: "wallet.unknown",
        cause: "unverified",
      });
    }
  });

  it(`is not its notification of a payment or a refund: ${_what}`, async () => {
    const wallet = await answering({});
    const events = [
      ["TRANSACTION.SUCCESS", transaction(merchant)],
      ["REFUND.SUCCESS", { ...refund(merchant), refund_status: "SUCCESS" }],
    ] as const;
    for (const [event_type, reported] of events) {
      const nonce = "fdasflkja484";
      const ciphertext = Aes.AesGcm.encrypt(JSON.stringify(reported), API_V3_KEY, nonce, "x");
      const resource = { algorithm: "AEAD_AES_256_GCM", ciphertext, associated_data: "x", nonce };
      const body = JSON.stringify({ id: "EV-1", event_type, resource });
      const headers = signedHeaders(body, { serial: MODERN_ID, key: modern.privateKey, now: NOW });
      const notification = { headers: new Headers(headers), body: Buffer.from(body) };
      const event = await expectOk(wallet.readNotification(by, notification, { now: NOW, skew: 300_000 }));
      expect(isSameMerchant(by, event.kind === "payment" ? event.order : event.refund)).toBe(false);
    }
  });
});

describe.each(OF_PARTNERS.slice(0, 2))(
  "for %s, an answer about a refund of another merchant",
  (_who, by, what, merchant) => {
    it(`is not accepted, after a request or a query: ${what}`, async () => {
      const wallet = await answering({ ...refund(merchant), status: "SUCCESS" });
      const made = await expectOk(wallet.refund(by, refundRequest, LIMITS));
      const queried = await expectOk(wallet.queryRefund(by, refundRequest, LIMITS));
      for (const stated of [made, queried]) {
        expect(stated).toMatchObject({ state: "CONFIRMED", refundNo: refundRequest.refundNo });
        expect(stated && isSameMerchant(by, stated)).toBe(false);
      }
    });
  },
);

describe("the bill of a sub-merchant", () => {
  const read = async (payment: string) => {
    const text = BILL.map((line) => (line === PAYMENT ? payment : line))
      .filter((line) => !line.includes("`REFUND,"))
      .map((line) => (line.startsWith("`2,`0.90") ? "`1,`0.90,`0.00,`0.00,`0.00540,`1.00,`0.00" : line))
      .join("\r\n");
    const { wallet } = await openWallet(({ target }, response) => {
      if (target.includes("/billdownload/")) {
        response.writeHead(200).end(gzipSync(text));
        return undefined;
      }
      const hash_value = createHash("sha1").update(text).digest("hex");
      const download_url = "https://api.mch.weixin.qq.com/v3/billdownload/file?token=1";
      return { status: 200, body: JSON.stringify({ hash_type: "SHA1", hash_value, download_url }) };
    });
    return wallet.readBill(shop, "2026-11-19", () => okAsync(undefined), LIMITS);
  };
  const lineOf = (mchid: string, sub: string) => PAYMENT.replace("`1900000109,`0,", `\`${mchid},\`${sub},`);

  it("is read if its lines name this sub-merchant", async () => {
    expect(await expectOk(read(lineOf(account.accountId, SHOP)))).toMatchObject({ payments: 1 });
  });

  it.each([
    ["another sub-merchant", account.accountId, "1900000202"],
    ["another provider", "1900000888", SHOP],
    ["the provider itself", account.accountId, "0"],
  ])("is refused if its lines name %s", async (_what, mchid, sub) => {
    expect(await expectFailure(read(lineOf(mchid, sub)))).toMatchObject({
      name: "wallet.unknown",
      cause: "unverified",
    });
  });
});

describe("the description of a refund", () => {
  it("names the sub-merchant and the account that pays, as the request does", async () => {
    const bodies: string[] = [];
    const { wallet } = await openWallet(({ body }) => {
      bodies.push(body);
      return { status: 200, body: JSON.stringify({ ...refund(PARTNER), status: "PROCESSING" }) };
    });
    const provider = {
      ...account,
      id: "provider",
      credentials: { ...account.credentials, fundsAccount: "AVAILABLE" },
    };
    const described = wallet.describeRefund?.({ ...shop, provider }, refundRequest);
    await expectOk(wallet.refund({ ...shop, provider }, refundRequest, LIMITS));
    expect(described).toEqual({ operation: "POST /v3/refund/domestic/refunds", body: bodies[0] });
    expect(JSON.parse(described?.body ?? "")).toMatchObject({ sub_mchid: SHOP, funds_account: "AVAILABLE" });
  });
});
