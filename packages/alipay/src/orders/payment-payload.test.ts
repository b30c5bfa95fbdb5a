import { centsOfYuan } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { alipayWallet } from "../alipay-wallet.js";
import { orderRequest } from "./biz-content.js";
import { testPairs } from "../testing/keys.js";
import { alipayAccount, APP_ID } from "../testing/alipay-harness.js";

const [app, wallet, next] = testPairs;
const account = alipayAccount({ appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki });
const AT = Date.UTC(2026, 10, 20, 16, 30, 5, 67);
const request: PaymentRequest = {
  outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H",
  amount: 601,
  goodsTitle: "VIP/会员 & more",
  paySource: "APP",
  notifyUrl: "https://svc.example/notify/alipay",
  returnUrl: "https://svc.example/return/alipay",
  expiresAt: AT + 7_200_000,
};
const prepayment = { issuedAt: AT, validUntil: request.expiresAt, values: {} };
const adapter = alipayWallet({ clock: { now: () => AT } });
const payload = (changes: Partial<PaymentRequest> = {}, appEnv: "DEV" | "PROD" = "DEV") =>
  expectOk(adapter.payload({ ...account, appEnv }, { ...request, ...changes }, prepayment, AT));

describe.each(["America/New_York", "Asia/Shanghai"])("a payload made in a process in %s", (zone) => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("has every documented member, and the time in Beijing", async () => {
    vi.stubEnv("TZ", zone);
    const { sign, ...rest } = z.record(z.string(), z.string()).parse(await payload());
    expect(rest).toEqual({
      app_id: APP_ID,
      method: "alipay.trade.app.pay",
      format: "JSON",
      charset: "utf-8",
      sign_type: "RSA2",
      timestamp: "2026-11-21 00:30:05",
      version: "1.0",
      notify_url: request.notifyUrl,
      return_url: request.returnUrl,
      biz_content:
        '{"out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","body":"VIP 会员   more","product_code":"QUICK_MSECURITY_PAY",' +
        '"subject":"VIP 会员   more","total_amount":"6.01","time_expire":"2026-11-21 02:30:05"}',
    });
    expect(sign).toMatch(/^[A-Za-z0-9+/]{342}==$/);
  });
});

describe("payload", () => {
  it("opens the gateway of the account's environment in a browser", async () => {
    const url = new URL(
      z.object({ pay_url: z.url() }).parse(await payload({ paySource: "H5" }, "PROD")).pay_url,
    );
    expect(`${url.origin}${url.pathname}`).toBe("https://openapi.alipay.com/gateway.do");
    const content: unknown = JSON.parse(url.searchParams.get("biz_content") ?? "");
    expect(content).toMatchObject({ product_code: "QUICK_WAP_WAY", quit_url: request.returnUrl });
  });

  it("opens the page for desktop browsers", async () => {
    const { pay_url } = z.object({ pay_url: z.url() }).parse(await payload({ paySource: "PC" }, "PROD"));
    const { origin, pathname, searchParams } = new URL(pay_url);
    expect(`${origin}${pathname}`).toBe("https://openapi.alipay.com/gateway.do");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      method: "alipay.trade.page.pay",
      notify_url: request.notifyUrl,
      return_url: request.returnUrl,
    });
    expect(searchParams.get("biz_content")).toBe(
      '{"out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","body":"VIP 会员   more",' +
        '"product_code":"FAST_INSTANT_TRADE_PAY","subject":"VIP 会员   more","total_amount":"6.01",' +
        '"time_expire":"2026-11-21 02:30:05"}',
    );
  });

  it("is the trade's number if the wallet created the trade", async () => {
    const made = { ...prepayment, values: { trade_no: "2026112122001" } };
    const jsapi = { ...request, paySource: "JSAPI", payerId: "2088102146225135" } as const;
    expect(await expectOk(adapter.payload(account, jsapi, made, AT))).toEqual({ tradeNO: "2026112122001" });
  });

  it("is rejected for a prepayment of another paySource", async () => {
    for (const paySource of ["NATIVE", "JSAPI"] as const)
      for (const values of [{}, paySource === "NATIVE" ? { trade_no: "1" } : { qr_code: "https://q" }]) {
        const call = adapter.payload(account, { ...request, paySource }, { ...prepayment, values }, AT);
        expect(await expectFailure(call)).toMatchObject({ name: "wallet.rejected", reason: "other" });
      }
  });

  it("is signed with the account's current key", async () => {
    const before = await payload();
    const rotated = { ...account, credentials: { ...account.credentials, appPrivateKey: next.pkcs8 } };
    expect(await expectOk(adapter.payload(rotated, request, prepayment, AT))).not.toEqual(before);
    expect(await payload()).toEqual(before);
  });
});

const USUAL = { productCodes: {} };

describe("the product code", () => {
  const codeOf = async (paySource: "APP" | "H5" | "PC", productCodes: string) => {
    const tool = { ...account, credentials: { ...account.credentials, productCodes } };
    const made = await expectOk(adapter.payload(tool, { ...request, paySource }, prepayment, AT));
    const { biz_content = "", pay_url = "" } = z.record(z.string(), z.string()).parse(made);
    const content = pay_url === "" ? biz_content : (new URL(pay_url).searchParams.get("biz_content") ?? "");
    return z.object({ product_code: z.string() }).parse(JSON.parse(content)).product_code;
  };

  it("is the usual one of a paySource, or that of the merchant's contract", async () => {
    expect(await codeOf("APP", "")).toBe("QUICK_MSECURITY_PAY");
    expect(await codeOf("H5", "{}")).toBe("QUICK_WAP_WAY");
    const codes = '{"APP": "APP_PRODUCT", "PC": "PC_PRODUCT"}';
    expect(await codeOf("APP", codes)).toBe("APP_PRODUCT");
    expect(await codeOf("PC", codes)).toBe("PC_PRODUCT");
    expect(await codeOf("H5", codes)).toBe("QUICK_WAP_WAY");
  });

  it.each(["QR_CODE_OFFLINE", '{"QR": "QR_CODE_OFFLINE"}', '{"NATIVE": "qr code"}', '{"NATIVE": 1}', "[]"])(
    "is a problem of the credentials if it is %j",
    async (productCodes) => {
      const tool = { ...account, credentials: { ...account.credentials, productCodes } };
      const [problem] = await adapter.checkAccount(tool);
      expect(problem).toMatchObject({ code: "malformed", field: "productCodes" });
      expect(problem?.message.en).toContain("QR_CODE_OFFLINE");
    },
  );
});

describe("the texts that the wallet receives", () => {
  it("comply with its rules for any title and amount, and are equal for equal orders", () => {
    const title = fc.string({ unit: "binary", minLength: 1, maxLength: 400 });
    const amount = fc.integer({ min: 1, max: 10_000_000_000 });
    fc.assert(
      fc.property(title, amount, (goodsTitle, cents) => {
        const { content } = orderRequest({ ...request, goodsTitle, amount: cents }, account, USUAL);
        const { subject, body, total_amount } = content;
        expect(subject).toMatch(/^[^/=&\p{Cc}\u{10000}-\u{10ffff}]+$/u);
        expect(Buffer.byteLength(subject)).toBeLessThanOrEqual(256);
        expect(body).toMatch(/^[^/=&\p{Cc}\u{10000}-\u{10ffff}]+$/u);
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(128);
        expect(total_amount).toMatch(/^\d+\.\d\d$/);
        expect(centsOfYuan(total_amount)).toBe(cents);
        expect(JSON.stringify(content)).toBe(
          JSON.stringify(orderRequest({ ...request, goodsTitle, amount: cents }, account, USUAL).content),
        );
      }),
    );
  });

  it("contain no part of an emoji", () => {
    const { content } = orderRequest({ ...request, goodsTitle: "会员👩‍👩‍👧卡❤️1️⃣" }, account, USUAL);
    expect(content).toMatchObject({ subject: "会员 卡", body: "会员 卡" });
  });

  it("consist of the order's number if nothing is left of its title", () => {
    expect(orderRequest({ ...request, goodsTitle: "👨‍👩‍👧" }, account, USUAL).content).toMatchObject({
      subject: request.outTradeNo,
      body: request.outTradeNo,
    });
  });
});

describe("checkAccount", () => {
  it("requires the seller's id, without which no notification would match", async () => {
    expect(await adapter.checkAccount(account)).toEqual([]);
    for (const accountId of ["shop@example.com", "208810211968583", "1900000109"])
      expect(
        (await adapter.checkAccount({ ...account, accountId })).map(({ message }) => message.en),
      ).toEqual([expect.stringMatching(/^accountId .* 2088/)]);
  });
});

describe("gateways", () => {
  it("must be https addresses, or http addresses of this machine", () => {
    const opened = (gateway: string) => () =>
      alipayWallet({ clock: { now: () => AT }, gateways: { PROD: gateway } });
    for (const gateway of [
      "https://gateway.example/gateway.do",
      "http://127.0.0.1:8080/gateway.do",
      "http://[::1]/gateway.do",
      "http://localhost/gateway.do",
    ])
      expect(opened(gateway), gateway).not.toThrow();
    for (const gateway of [
      "http://gateway.example/gateway.do",
      "http://127.0.0.1.example/",
      "ftp://gateway.example/",
      "https://user:word@gateway.example/",
      "https://gateway.example/?a=1",
      "gateway",
    ])
      expect(opened(gateway), gateway).toThrow("https");
  });
});
