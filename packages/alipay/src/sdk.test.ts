import type { PaymentRequest } from "@tillkit/core/ports";
import { expectOk } from "@tillkit/contract-tests";
import { AlipaySdk } from "alipay-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { alipayWallet } from "./alipay-wallet.js";
import { notificationTexts, requestText } from "./signing/signed-texts.js";
import {
  ALIPAY_CERTIFICATE,
  APP_CERTIFICATE,
  APP_PRIVATE_KEY,
  NEXT_ALIPAY_CERTIFICATE,
  ROOTS,
  SNS,
} from "./testing/certificates.js";
import { testPairs } from "./testing/keys.js";
import { alipayAccount, APP_ID, openAlipayHarness, SELLER_ID } from "./testing/alipay-harness.js";
import { notificationBody } from "./testing/wire.js";

// Alipay's SDK verifies the adapter's signatures, and the test server verifies those of the SDK.

const [app, wallet, stranger] = testPairs;
const account = alipayAccount({ appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki });
const AT = Date.UTC(2026, 10, 20, 12, 0, 0);
const adapter = alipayWallet({ clock: { now: () => AT } });
const sdkWith = (options: { readonly alipayPublicKey: string; readonly gateway?: string }) =>
  new AlipaySdk({ appId: APP_ID, privateKey: app.pkcs8, keyType: "PKCS8", camelcase: false, ...options });

const request: PaymentRequest = {
  outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H",
  amount: 601,
  goodsTitle: "VIP 会员 100% + 1",
  paySource: "APP",
  notifyUrl: "https://svc.example/notify/alipay",
  returnUrl: "https://svc.example/return/alipay",
  expiresAt: AT + 1_800_000,
};

async function payload(paySource: PaymentRequest["paySource"]) {
  const prepayment = { issuedAt: AT, validUntil: request.expiresAt, values: {} };
  const opened = await expectOk(adapter.payload(account, { ...request, paySource }, prepayment, AT));
  return new Map(Object.entries(opened));
}

describe("the SDK with the adapter's signatures", () => {
  // The SDK verifies with the key of the signer, which is the app in this test.
  const sdk = sdkWith({ alipayPublicKey: app.spki });

  it("verifies a payload for an app, only over the text of a request", async () => {
    const { sign = "", ...parameters } = Object.fromEntries(await payload("APP"));
    expect(sdk.rsaCheck(requestText(parameters), String(sign))).toBe(true);
    expect(sdk.rsaCheck([...notificationTexts(parameters)][0] ?? "", String(sign))).toBe(false);
  });

  it.each(["H5", "PC"] as const)("verifies the address for a browser: %s", async (paySource) => {
    const url = new URL(String((await payload(paySource)).get("pay_url")));
    const parameters = Object.fromEntries(url.searchParams);
    expect(sdk.rsaCheck(requestText(parameters), parameters["sign"] ?? "")).toBe(true);
    expect(`${url.origin}${url.pathname}`).toBe("https://openapi-sandbox.dl.alipaydev.com/gateway.do");
  });
});

describe("the adapter with the SDK's signatures", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("writes the same text for the same parameters, so that the signatures are equal", async () => {
    vi.stubEnv("TZ", "Asia/Shanghai");
    const order = sdkWith({ alipayPublicKey: wallet.spki }).sdkExecute("alipay.trade.app.pay", {
      notify_url: request.notifyUrl,
      bizContent: { out_trade_no: request.outTradeNo, subject: "VIP 会员 +%", total_amount: "6.01" },
    });
    const { sign, ...parameters } = Object.fromEntries(new URLSearchParams(order));
    const sdk = sdkWith({ alipayPublicKey: app.spki });
    expect(sdk.rsaCheck(requestText(parameters), sign ?? "")).toBe(true);
    expect(parameters["sign_type"]).toBe("RSA2");
  });
});

describe("the SDK with the wallet of these tests", () => {
  it("has its requests accepted and verifies the responses", async () => {
    const harness = await openAlipayHarness({
      app,
      wallet,
      stranger,
      credentials: account.credentials,
    });
    const { server, port } = harness;
    try {
      vi.stubEnv("TZ", "Asia/Shanghai");
      const sdk = sdkWith({ alipayPublicKey: wallet.spki, gateway: server.gateway });
      // The SDK sends no format, and Alipay assumes JSON.
      const call = { format: "JSON", bizContent: { out_trade_no: request.outTradeNo } };
      const absent = await sdk.exec("alipay.trade.query", call, { validateSign: true });
      expect(absent).toMatchObject({ code: "40004", sub_code: "ACQ.TRADE_NOT_EXIST" });
      const prepayment = { issuedAt: Date.now(), validUntil: Date.now() + 60_000, values: {} };
      const order = { ...request, expiresAt: Date.now() + 60_000 };
      await port.pay(
        order.outTradeNo,
        await expectOk(port.payload(port.account, order, prepayment, Date.now())),
      );
      const paid = await sdk.exec("alipay.trade.query", call, { validateSign: true });
      expect(paid).toMatchObject({ code: "10000", trade_status: "TRADE_SUCCESS", total_amount: "6.01" });
      const [notification] = await port.notifications();
      const form = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(notification?.body)));
      expect(sdk.checkNotifySignV2(form)).toBe(true);
      expect(sdk.rsaCheck([...notificationTexts(form)][0] ?? "", form["sign"] ?? "")).toBe(true);
    } finally {
      vi.unstubAllEnvs();
      await harness.close();
    }
  });

  it("creates the same trade as the adapter", async () => {
    const harness = await openAlipayHarness({
      app,
      wallet,
      stranger,
      credentials: account.credentials,
    });
    const { server, port } = harness;
    try {
      vi.stubEnv("TZ", "Asia/Shanghai");
      const jsapi = { paySource: "JSAPI", payerId: "2088102146225135" } as const;
      const order = { ...request, ...jsapi, expiresAt: Date.now() + 60_000 };
      const { values } = await expectOk(port.prepare(port.account, order, { deadline: 60_000 }));
      const sent: unknown = JSON.parse(server.requests.at(-1)?.get("biz_content") ?? "");
      const bizContent = z.record(z.string(), z.string()).parse(sent);
      const sdk = sdkWith({ alipayPublicKey: wallet.spki, gateway: server.gateway });
      const call = { format: "JSON", notify_url: order.notifyUrl, bizContent };
      const made = await sdk.exec("alipay.trade.create", call, { validateSign: true });
      expect(made).toMatchObject({ code: "10000", trade_no: values["trade_no"] });
    } finally {
      vi.unstubAllEnvs();
      await harness.close();
    }
  });

  it("verifies its notifications, and rejects another wallet's", () => {
    const facts = { app_id: APP_ID, seller_id: SELLER_ID, sign_type: "RSA2", subject: "100% 大乐透+2.1" };
    const form = Object.fromEntries(new URLSearchParams(notificationBody(facts, wallet.privatePem)));
    expect(sdkWith({ alipayPublicKey: wallet.spki }).checkNotifySignV2(form)).toBe(true);
    expect(sdkWith({ alipayPublicKey: app.spki }).checkNotifySignV2(form)).toBe(false);
  });
});

describe("the SDK with serial numbers of certificates", () => {
  const numbers = (alipayPublicCertContent: string) => {
    const { appCertSn, alipayRootCertSn, alipayCertSn } = new AlipaySdk({
      appId: APP_ID,
      privateKey: APP_PRIVATE_KEY,
      keyType: "PKCS8",
      appCertContent: APP_CERTIFICATE,
      alipayRootCertContent: ROOTS,
      alipayPublicCertContent,
    }).config;
    return [appCertSn, alipayRootCertSn, alipayCertSn];
  };

  it("computes those that the adapter's tests expect", () => {
    expect(numbers(ALIPAY_CERTIFICATE)).toEqual([SNS.app, SNS.root, SNS.alipay]);
    expect(numbers(NEXT_ALIPAY_CERTIFICATE)).toEqual([SNS.app, SNS.root, SNS.nextAlipay]);
  });
});
