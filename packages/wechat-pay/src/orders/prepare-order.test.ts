import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { PAY_SOURCES } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { account, NOW } from "../testing/keys.js";
import { textContaining } from "../testing/text-containing.js";
import { openWallet } from "../testing/open-wallet.js";
import { LIMITS, request } from "../testing/requests.js";
import type { WireCall, WireHandler } from "../testing/wechat-wire.js";

const VALUES = {
  app: '{"prepay_id":"wx1"}',
  jsapi: '{"prepay_id":"wx1"}',
  native: '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}',
  h5: '{"h5_url":"https://wx.tenpay.com/x?prepay_id=wx1&package=1"}',
};

function gateway() {
  const calls: WireCall[] = [];
  const part: WireHandler = (call) => {
    calls.push(call);
    const kind = /transactions\/(\w+)$/.exec(call.target)?.[1];
    return { status: 200, body: Object.entries(VALUES).find(([name]) => name === kind)?.[1] ?? "{}" };
  };
  return { calls, part };
}

const payerClientIp = () => "2400:3200::1";

describe("prepare", () => {
  it("sends an order for an app in WeChat Pay's format", async () => {
    const { calls, part } = gateway();
    const { wallet, wire } = await openWallet(part);
    const prepayment = await expectOk(wallet.prepare(account, { ...request, paySource: "APP" }, LIMITS));
    expect(prepayment).toEqual({
      issuedAt: NOW,
      validUntil: NOW + 110 * 60_000,
      values: { prepay_id: "wx1" },
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      method: "POST",
      target: "/base/v3/pay/transactions/app",
      body: '{"appid":"wxd678efh567hg6787","mchid":"1900000109","description":"VIP 会员","out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","time_expire":"2026-11-20T22:00:00+08:00","notify_url":"https://svc.example/notify/wechat","amount":{"total":100,"currency":"CNY"}}',
    });
    expect(wire.refused).toEqual([]);
  });

  it("sends an order for a browser with the customer's address, and returns its page for less than 5 minutes", async () => {
    const { calls, part } = gateway();
    const requests: PaymentRequest[] = [];
    const { wallet } = await openWallet(part, {
      payerClientIp: (about) => {
        requests.push(about);
        return "8.8.8.8";
      },
    });
    const forH5 = { ...request, paySource: "H5" } as const;
    const { values, validUntil } = await expectOk(wallet.prepare(account, forH5, LIMITS));
    expect(values).toEqual({ h5_url: "https://wx.tenpay.com/x?prepay_id=wx1&package=1" });
    expect(validUntil).toBe(NOW + 10_000);
    expect(requests).toEqual([forH5]);
    expect(JSON.parse(calls[0]?.body ?? "")).toMatchObject({
      scene_info: { payer_client_ip: "8.8.8.8", h5_info: { type: "Wap" } },
    });
  });

  it("rejects an order for a browser without the customer's address, and sends nothing", async () => {
    const { calls, part } = gateway();
    for (const ip of [undefined, "", "unknown", "8.8.8.8, 10.0.0.1", "8.8.8.8:443"]) {
      const { wallet } = await openWallet(part, { payerClientIp: () => ip });
      expect(
        await expectFailure(wallet.prepare(account, { ...request, paySource: "H5" }, LIMITS)),
      ).toMatchObject({
        name: "wallet.rejected",
        reason: "payer-address",
        parameter: "payerClientIp",
        detail: textContaining("payerClientIp"),
      });
    }
    expect(calls).toEqual([]);
  });

  it("sends a private address for a DEV account, and nothing for a PROD account", async () => {
    const { calls, part } = gateway();
    const { wallet, wire } = await openWallet(part, { payerClientIp: () => "10.0.0.1" });
    const forH5 = { ...request, paySource: "H5" } as const;
    await expectOk(wallet.prepare(account, forH5, LIMITS));
    expect(JSON.parse(calls[0]?.body ?? "")).toMatchObject({ scene_info: { payer_client_ip: "10.0.0.1" } });
    const live = await openWallet(part, {
      payerClientIp: () => "10.0.0.1",
      payerClientIpName: "x-payer-client-ip",
      gateways: { PROD: wire.url },
    });
    expect(
      await expectFailure(live.wallet.prepare({ ...account, appEnv: "PROD" }, forH5, LIMITS)),
    ).toMatchObject({ reason: "payer-address", parameter: "x-payer-client-ip" });
    expect(calls).toHaveLength(1);
  });

  it("sends an order for JSAPI with the customer's openid, and returns its prepayment for less than 2 hours", async () => {
    const { calls, part } = gateway();
    const { wallet, wire } = await openWallet(part);
    const jsapi = { ...request, paySource: "JSAPI", payerId: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" } as const;
    expect(await expectOk(wallet.prepare(account, jsapi, LIMITS))).toEqual({
      issuedAt: NOW,
      validUntil: NOW + 110 * 60_000,
      values: { prepay_id: "wx1" },
    });
    expect(calls[0]).toMatchObject({
      method: "POST",
      target: "/base/v3/pay/transactions/jsapi",
      body: '{"appid":"wxd678efh567hg6787","mchid":"1900000109","description":"VIP 会员","out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","time_expire":"2026-11-20T22:00:00+08:00","notify_url":"https://svc.example/notify/wechat","amount":{"total":100,"currency":"CNY"},"payer":{"openid":"oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"}}',
    });
    expect(wire.refused).toEqual([]);
  });

  it("sends nothing for JSAPI without an openid, and nothing for a desktop browser", async () => {
    const { calls, part } = gateway();
    const { wallet } = await openWallet(part);
    for (const [paySource, words] of [
      ["JSAPI", "payerId"],
      ["PC", "no page for desktop browsers"],
    ] as const)
      expect(await expectFailure(wallet.prepare(account, { ...request, paySource }, LIMITS))).toMatchObject({
        name: "wallet.rejected",
        reason: "configuration",
        trusted: true,
        detail: textContaining(words),
      });
    expect(calls).toEqual([]);
  });

  it("removes the openid from WeChat Pay's refusal", async () => {
    const payerId = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";
    const body = JSON.stringify({ code: "PARAM_ERROR", message: `openid ${payerId} is not of this appid` });
    const { wallet } = await openWallet(() => ({ status: 400, body }));
    const refused = wallet.prepare(account, { ...request, paySource: "JSAPI", payerId }, LIMITS);
    expect(await expectFailure(refused)).toMatchObject({
      detail: "400 PARAM_ERROR openid (the payer) is not of this appid",
    });
  });

  it("rejects an expired order, and sends nothing", async () => {
    const { calls, part } = gateway();
    const { wallet } = await openWallet(part);
    // WeChat Pay uses whole seconds.
    const second = Math.floor(NOW / 1000) * 1000;
    for (const expiresAt of [NOW - 1, NOW, NOW + 1, second + 999])
      expect(await expectFailure(wallet.prepare(account, { ...request, expiresAt }, LIMITS))).toMatchObject({
        name: "wallet.rejected",
        reason: "closed",
      });
    expect(calls).toEqual([]);
    await expectOk(wallet.prepare(account, { ...request, expiresAt: second + 1_000 }, LIMITS));
  });

  it("sends equal bytes for equal requests, of every paySource and title", async () => {
    const { calls, part } = gateway();
    const { wallet } = await openWallet(part, { payerClientIp });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PAY_SOURCES.filter((paySource) => paySource !== "PC")),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 127 }),
        async (paySource, goodsTitle) => {
          calls.length = 0;
          const parameters = { ...request, paySource, goodsTitle, payerId: "openid-1" };
          for (let times = 0; times < 2; times += 1)
            await expectOk(wallet.prepare(account, parameters, LIMITS));
          expect(calls[1]?.body).toBe(calls[0]?.body);
          expect(JSON.parse(calls[0]?.body ?? "")).toMatchObject({
            description: textContaining(/^[^\p{Cc}\u{10000}-\u{10ffff}]{1,127}$/u),
          });
        },
      ),
      { numRuns: 30 },
    );
  });
});
