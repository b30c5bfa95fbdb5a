import { expectOk } from "@tillkit/contract-tests";
import { PAY_SOURCES, type WalletAccount, type WalletOptions } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { AlipaySdk } from "alipay-sdk";
import { describe, expect, it } from "vitest";
import { alipayWallet } from "../alipay-wallet.js";
import { requestText } from "../signing/signed-texts.js";
import { alipayAccount, APP_ID, SELLER_ID } from "../testing/alipay-harness.js";
import { testPairs } from "../testing/keys.js";
import { notificationBody } from "../testing/wire.js";
import { orderRequest } from "./biz-content.js";

const [app, wallet] = testPairs;
const account = alipayAccount({ appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki });
const AT = Date.UTC(2026, 10, 20, 12);
const adapter = alipayWallet({ clock: { now: () => AT } });
const request: PaymentRequest = {
  outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H",
  amount: 600,
  goodsTitle: "VIP",
  paySource: "APP",
  notifyUrl: "https://svc.example/notify/alipay",
  returnUrl: "https://svc.example/return/alipay",
  expiresAt: AT + 1_800_000,
};

const PASSBACK = "merchantBizType=3C&name=会员 100%+1";
const OPTIONS: WalletOptions = {
  passback_params: PASSBACK,
  goods_type: "1",
  disable_pay_channels: "pcredit,creditCard",
  extend_params: {
    hb_fq_num: "3",
    hb_fq_seller_percent: "0",
    sys_service_provider_id: "2088511833207846",
  },
};
const SENT = { ...OPTIONS, passback_params: encodeURIComponent(PASSBACK) };

const contentOf = (changes: Partial<PaymentRequest>, by: WalletAccount = account) =>
  orderRequest({ ...request, payerId: "2088102146225135", ...changes }, by, { productCodes: {} }).content;

async function payload(by: WalletAccount, changes: Partial<PaymentRequest>) {
  const prepayment = { issuedAt: AT, validUntil: request.expiresAt, values: {} };
  return expectOk(adapter.payload(by, { ...request, ...changes }, prepayment, AT));
}

describe("the options of an order", () => {
  it.each(PAY_SOURCES)("are members of biz_content for %s, after the other members", (paySource) => {
    const content = contentOf({ paySource, options: OPTIONS });
    expect(content).toEqual({ ...contentOf({ paySource }), ...SENT });
    expect(Object.keys(content).slice(-4)).toEqual(Object.keys(SENT));
  });

  it("encode passback_params once", () => {
    const { passback_params: sent } = contentOf({ options: OPTIONS });
    if (typeof sent !== "string") throw new Error("passback_params is not sent");
    expect(sent).toMatch(/^[\w.!~*'()%-]+$/);
    expect(decodeURIComponent(sent)).toBe(PASSBACK);
  });

  it("replace the address to which the browser returns from H5", () => {
    const quit_url = "https://shop.example/quit?a=1&b=2";
    const content = contentOf({ paySource: "H5", options: { quit_url } });
    expect(content).toEqual({ ...contentOf({ paySource: "H5" }), quit_url });
  });

  it("of WeChat Pay are not sent", () => {
    const options = { attach: "a", limit_pay: ["no_credit"], redirect_url: "https://a.example" };
    expect(contentOf({ options })).toEqual(contentOf({}));
  });

  it.each([
    ["a merchant", account],
    [
      "a sub-merchant",
      {
        ...alipayAccount({ provider: "provider", appAuthToken: "202601BBexample" }),
        id: "shop",
        accountId: "2088000000000201",
        provider: { ...account, id: "provider" },
      },
    ],
  ] as const)("are signed for %s, as Alipay's SDK verifies", async (_who, by) => {
    // The SDK verifies with the key of the signer, which is the app in this test.
    const sdk = new AlipaySdk({
      appId: APP_ID,
      privateKey: app.pkcs8,
      keyType: "PKCS8",
      alipayPublicKey: app.spki,
    });
    const opened = new Map(Object.entries(await payload(by, { paySource: "APP", options: OPTIONS })));
    const { sign = "", ...parameters } = Object.fromEntries(opened);
    expect(sdk.rsaCheck(requestText(parameters), String(sign))).toBe(true);
    expect(JSON.parse(String(parameters["biz_content"]))).toMatchObject(SENT);
    const page = await payload(by, { paySource: "H5", options: OPTIONS });
    const { sign: signed = "", ...query } = Object.fromEntries(
      new URL("pay_url" in page ? page.pay_url : "").searchParams,
    );
    expect(sdk.rsaCheck(requestText(query), signed)).toBe(true);
    expect(JSON.parse(query["biz_content"] ?? "")).toMatchObject(SENT);
  });

  it("give equal payloads for equal requests", async () => {
    const again = { ...OPTIONS, extend_params: { ...OPTIONS.extend_params } };
    expect(await payload(account, { options: again })).toEqual(await payload(account, { options: OPTIONS }));
  });
});

describe("a notification that returns passback_params", () => {
  const facts = {
    notify_id: "n-1",
    notify_time: "2026-11-20 20:05:00",
    notify_type: "trade_status_sync",
    charset: "utf-8",
    version: "1.0",
    sign_type: "RSA2",
    app_id: APP_ID,
    seller_id: SELLER_ID,
    out_trade_no: request.outTradeNo,
    trade_no: "2026112022001",
    trade_status: "TRADE_SUCCESS",
    total_amount: "6.00",
    gmt_payment: "2026-11-20 20:04:59",
    passback_params: encodeURIComponent(PASSBACK),
  };
  const read = (body: string) =>
    adapter.readNotification(
      account,
      { headers: { get: () => null }, body: new TextEncoder().encode(body) },
      { now: AT, skew: 300_000 },
    );

  it("is verified as the SDK verifies it, and changes no fact of the payment", async () => {
    const body = notificationBody(facts, wallet.privatePem);
    const sdk = new AlipaySdk({
      appId: APP_ID,
      privateKey: app.pkcs8,
      keyType: "PKCS8",
      alipayPublicKey: wallet.spki,
    });
    const received = Object.fromEntries(new URLSearchParams(body));
    expect(received["passback_params"]).toBe(facts.passback_params);
    expect(sdk.checkNotifySignV2(received)).toBe(true);
    const { passback_params: _echo, ...without } = facts;
    const plain = await expectOk(read(notificationBody(without, wallet.privatePem)));
    const event = await expectOk(read(body));
    if (event.kind !== "payment" || plain.kind !== "payment") throw new Error("no payment was read");
    const { evidence: _one, ...order } = event.order;
    const { evidence: _other, ...same } = plain.order;
    expect(order).toEqual(same);
    expect(order).toMatchObject({ state: "PAID", amount: 600 });
  });

  it("is refused if the returned value was changed on the way", async () => {
    const body = notificationBody(facts, wallet.privatePem).replace("merchantBizType", "merchantBizTypf");
    expect((await read(body))._unsafeUnwrapErr()).toEqual({
      name: "notification.refused",
      reason: "unverified",
    });
  });
});
