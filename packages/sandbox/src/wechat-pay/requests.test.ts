import { createSign } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { codeIn, members } from "../testing/json.js";
import { decryptWalletA } from "../testing/notifications.js";
import { NUMBER, openHarness, orderA, type SandboxHarness } from "../testing/sandbox-harness.js";

const OPENID = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";
const IP = "203.0.113.9";

let harness: SandboxHarness;
beforeEach(async () => {
  harness = await openHarness();
});

const prepay = (way: string, changes: object = {}) =>
  harness.callA(`/v3/pay/transactions/${way}`, orderA(harness, changes));
const scene = (changes: object = {}) => ({ scene_info: { payer_client_ip: IP, ...changes } });

describe("how WeChat Pay validates a body", () => {
  const payer = { payer: { openid: OPENID } };
  const faulty: readonly (readonly [string, string, object])[] = [
    ["app", "/customer", { customer: "user-1" }],
    ["app", "/trade_type", { trade_type: "APP" }],
    ["app", "/payer", payer],
    ["app", "/amount/payer_total", { amount: { total: 600, payer_total: 600 } }],
    ["app", "/scene_info/h5_info", scene({ h5_info: { type: "Wap" } })],
    ["native", "/scene_info/store_info/city", scene({ store_info: { id: "1", city: "Shenzhen" } })],
    [
      "h5",
      "/scene_info/h5_info/wap_url",
      scene({ h5_info: { type: "Wap", wap_url: "https://svc.example" } }),
    ],
    ["jsapi", "/payer", {}],
    ["jsapi", "/payer/openid", { payer: { openid: "" } }],
    ["jsapi", "/payer/sub_openid", { payer: { openid: OPENID, sub_openid: OPENID } }],
    ["app", "/scene_info/payer_client_ip", { scene_info: { payer_client_ip: "203.0.113" } }],
    ["app", "/scene_info/payer_client_ip", { scene_info: { payer_client_ip: "unknown" } }],
    ["app", "/scene_info/payer_client_ip", { scene_info: { payer_client_ip: "203.0.113.256" } }],
    ["app", "/scene_info/payer_client_ip", { scene_info: { payer_client_ip: `${IP}, 198.51.100.7` } }],
  ];
  it.each(faulty)("%s: rejects an invalid or unknown %s", async (way, field, changes) => {
    const answer = await prepay(way, changes);
    expect(`${answer.status} ${codeIn(answer.text)}`).toBe("400 PARAM_ERROR");
    expect(members(answer.text)).toMatchObject({ detail: { field, location: "body" } });
  });

  it("also validates the bodies of the other calls", async () => {
    await prepay("app");
    const { mchid } = harness.sandbox.merchant.walletA;
    const close = await harness.callA(`/v3/pay/transactions/out-trade-no/${NUMBER}/close`, {
      mchid,
      appid: "wx",
    });
    expect(codeIn(close.text)).toBe("PARAM_ERROR");
    await harness.sandbox.simulatorControls.pay(NUMBER);
    const amount = { refund: 100, total: 600, currency: "CNY" };
    const refund = { out_trade_no: NUMBER, out_refund_no: "R-1", amount, mchid };
    const answer = await harness.callA("/v3/refund/domestic/refunds", refund);
    expect(members(answer.text)).toMatchObject({ code: "PARAM_ERROR", detail: { field: "/mchid" } });
    expect(harness.sandbox.simulatorControls.balance("WALLET_A")).toBe(600);
  });

  it("accepts every documented member", async () => {
    const goods = { merchant_goods_id: "1246464644", wechatpay_goods_id: "1001", goods_name: "VIP" };
    const answer = await prepay("h5", {
      attach: "a",
      goods_tag: "WXG",
      support_fapiao: true,
      time_expire: "2026-11-20T20:30:00+08:00",
      amount: { total: 600, currency: "CNY" },
      detail: {
        cost_price: 608,
        invoice_id: "wx123",
        goods_detail: [{ ...goods, quantity: 1, unit_price: 600 }],
      },
      scene_info: {
        payer_client_ip: "2001:db8::9",
        device_id: "013467007045764",
        store_info: { id: "0001", name: "shop", area_code: "440305", address: "road 1" },
        h5_info: {
          type: "Android",
          app_name: "app",
          app_url: "https://svc.example",
          bundle_id: "b",
          package_name: "p",
        },
      },
      settle_info: { profit_sharing: false },
    });
    expect(answer.status).toBe(200);
    await harness.sandbox.simulatorControls.pay(NUMBER);
    const refund = await harness.callA("/v3/refund/domestic/refunds", {
      transaction_id: String(decryptWalletA(harness.delivered[0]!)["transaction_id"]),
      out_refund_no: "R-1",
      reason: "returned",
      funds_account: "AVAILABLE",
      amount: {
        refund: 100,
        total: 600,
        currency: "CNY",
        from: [{ account: "AVAILABLE", amount: 100 }],
      },
      goods_detail: [{ ...goods, unit_price: 600, refund_amount: 100, refund_quantity: 1 }],
    });
    expect(refund.status).toBe(200);
  });
});

describe("an order at WeChat Pay by the wallet's own number", () => {
  const byId = (id: string, query = "?mchid=1900000109") =>
    harness.callA(`/v3/pay/transactions/id/${id}${query}`);

  it("is found after it is paid, with the same facts as by the order's own number", async () => {
    await prepay("app");
    await harness.sandbox.simulatorControls.pay(NUMBER);
    const id = String(decryptWalletA(harness.delivered[0]!)["transaction_id"]);
    const found = await byId(id);
    expect(found.status).toBe(200);
    const same = await harness.callA(`/v3/pay/transactions/out-trade-no/${NUMBER}?mchid=1900000109`);
    expect(members(found.text)).toEqual(members(same.text));
    expect(codeIn((await byId(id, "")).text)).toBe("PARAM_ERROR");
    expect(codeIn((await byId(id, "?mchid=1900000110")).text)).toBe("PARAM_ERROR");
    for (const other of [NUMBER, `${id}0`, "0"]) {
      const answer = await byId(other);
      expect(`${answer.status} ${codeIn(answer.text)}`, other).toBe("404 ORDER_NOT_EXIST");
    }
  });
});

describe("a payment in a mini-program or an in-app browser", () => {
  const signed = (text: string) =>
    createSign("RSA-SHA256").update(text).sign(harness.sandbox.merchant.walletA.merchantPrivateKey, "base64");

  async function payload() {
    const { text } = await prepay("jsapi", { payer: { openid: OPENID } });
    const opener = `prepay_id=${String(members(text)["prepay_id"])}`;
    const { appid: appId } = harness.sandbox.merchant.walletA;
    const [timeStamp, nonceStr] = ["1414561699", "5K8264ILTKCH16CQ2502SI8ZNMTM67VS"];
    const paySign = signed(`${appId}\n${timeStamp}\n${nonceStr}\n${opener}\n`);
    return { appId, timeStamp, nonceStr, package: opener, signType: "RSA", paySign };
  }

  it("is opened with the signed payload, and contains its customer", async () => {
    expect(await harness.control("POST", "/pay", { payload: await payload() })).toMatchObject({
      status: 200,
      json: { outTradeNo: NUMBER, state: "PAID", notified: true },
    });
    expect(decryptWalletA(harness.delivered[0]!)).toMatchObject({
      trade_type: "JSAPI",
      payer: { openid: OPENID },
    });
  });

  it("differs from the same order in an app, and from the same order of another customer", async () => {
    await payload();
    for (const [way, changes] of [
      ["app", {}],
      ["jsapi", { payer: { openid: `${OPENID}2` } }],
    ] as const)
      expect(codeIn((await prepay(way, changes)).text)).toBe("OUT_TRADE_NO_USED");
  });

  it("is rejected with any other payload", async () => {
    const good = await payload();
    const resigned = (changes: Partial<typeof good>) => {
      const all = { ...good, ...changes };
      return { ...all, paySign: signed(`${all.appId}\n${all.timeStamp}\n${all.nonceStr}\n${all.package}\n`) };
    };
    const { text } = await prepay("app", { out_trade_no: "01JCXW9Z3K7Q2N5T8V0B4D6F1J" });
    const faulty: readonly (readonly [string, object])[] = [
      ["appId", resigned({ appId: "wx0000000000000000" })],
      ["signType", { ...good, signType: "MD5" }],
      ["package", resigned({ package: good.package.replace("prepay_id=", "") })],
      ["paySign", { ...good, timeStamp: "1414561700" }],
      ["paySign", { ...good, nonceStr: "other" }],
      ["paySign", { ...good, package: "prepay_id=wx000000000000000000000000" }],
      ["issued no", resigned({ package: "prepay_id=wx000000000000000000000000" })],
      ["issued no", resigned({ package: `prepay_id=${String(members(text)["prepay_id"])}` })],
    ];
    for (const [why, spoilPayload] of faulty) {
      const { status, json } = await harness.control("POST", "/pay", { payload: spoilPayload });
      expect([status, String(json["error"])]).toEqual([422, expect.stringContaining(why)]);
    }
    expect(harness.sandbox.simulatorControls.balance("WALLET_A")).toBe(0);
  });

  it("expires after two hours", async () => {
    const shown = await payload();
    await harness.advance(7_200_001);
    expect(await harness.control("POST", "/pay", { payload: shown })).toMatchObject({ status: 422 });
  });
});

describe("an app's payload at WeChat Pay", () => {
  it("may have its time as a number or as text", async () => {
    const { appid, mchid: partnerid, merchantPrivateKey } = harness.sandbox.merchant.walletA;
    const prepayid = String(members((await prepay("app")).text)["prepay_id"]);
    const noncestr = "5K8264ILTKCH16CQ2502SI8ZNMTM67VS";
    const text = `${appid}\n1414561699\n${noncestr}\n${prepayid}\n`;
    const sign = createSign("RSA-SHA256").update(text).sign(merchantPrivateKey, "base64");
    const payload = { appid, partnerid, prepayid, noncestr, package: "Sign=WXPay", sign };
    for (const timestamp of [1_414_561_699, "1414561699"])
      expect(await harness.control("POST", "/open", { payload: { ...payload, timestamp } })).toMatchObject({
        status: 200,
      });
    for (const timestamp of ["01414561699", "now", -1])
      expect(
        (await harness.control("POST", "/open", { payload: { ...payload, timestamp } })).status,
      ).not.toBe(200);
  });
});
