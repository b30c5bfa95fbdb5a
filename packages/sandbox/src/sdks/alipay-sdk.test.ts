import { AlipaySdk } from "alipay-sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openSdkHarness, type SdkHarness } from "../testing/sdk-harness.js";
import { formOf, NUMBER, orderB } from "../testing/sandbox-harness.js";

const NOTIFY = "http://127.0.0.1:8787/wallets/WALLET_B";
const BUYER = "2088102146225135";
const named = { out_trade_no: NUMBER };

let harness: SdkHarness;
beforeEach(async () => {
  harness = await openSdkHarness();
});

/** Creates the client for the sandbox, in key mode or in certificate mode. */
function clientOf(mode: "keys" | "certificates"): AlipaySdk {
  const { addresses, merchant } = harness.sandbox;
  const { appId, appPrivateKey: privateKey, walletPublicKey, ...certificates } = merchant.walletB;
  const common = { appId, privateKey, keyType: "PKCS8" as const, gateway: addresses.walletB };
  return mode === "keys"
    ? new AlipaySdk({ ...common, alipayPublicKey: walletPublicKey })
    : new AlipaySdk({
        ...common,
        appCertContent: certificates.appCertificate,
        alipayPublicCertContent: certificates.walletCertificate,
        alipayRootCertContent: certificates.rootCertificate,
      });
}

describe.each(["keys", "certificates"] as const)("alipay-sdk at the sandbox, with %s", (mode) => {
  /** Calls a method. The client throws unless the wallet signed the response. */
  const exec = async (method: string, bizContent: object): Promise<unknown> =>
    clientOf(mode).exec(method, { bizContent, notifyUrl: NOTIFY }, { validateSign: true });
  const tradeNo = (answer: unknown) => z.looseObject({ tradeNo: z.string() }).parse(answer).tradeNo;

  it("creates a code, and the customer who scans it pays", async () => {
    const made = await exec("alipay.trade.precreate", orderB());
    const { qrCode } = z.looseObject({ code: z.literal("10000"), qrCode: z.url() }).parse(made);
    expect(await harness.control("POST", "/pay", { payload: { qr_code: qrCode } })).toMatchObject({
      json: { state: "PAID", notified: true },
    });
    const found = await exec("alipay.trade.query", { ...named, query_options: ["fund_bill_list"] });
    expect(found).toMatchObject({
      code: "10000",
      tradeStatus: "TRADE_SUCCESS",
      totalAmount: "6.00",
      fundBillList: [{ amount: "6.00", fundChannel: "ALIPAYACCOUNT" }],
    });
    expect(await exec("alipay.trade.query", { trade_no: tradeNo(found) })).toMatchObject({
      outTradeNo: NUMBER,
    });
  });

  it("signs payloads for an app, a mobile browser and a desktop browser, and the customer pays", async () => {
    const client = clientOf(mode);
    const orderString = client.sdkExecute("alipay.trade.app.pay", {
      bizContent: orderB({ product_code: "QUICK_MSECURITY_PAY", out_trade_no: "ORDER_APP" }),
      notifyUrl: NOTIFY,
    });
    const page = (method: string, product_code: string, out_trade_no: string) =>
      client.pageExecute(method, "GET", {
        bizContent: orderB({ product_code, out_trade_no }),
        notifyUrl: NOTIFY,
        returnUrl: "http://127.0.0.1:8787/return",
      });
    const payloads = [
      { orderString },
      { pay_url: page("alipay.trade.wap.pay", "QUICK_WAP_WAY", "ORDER_WAP") },
      { pay_url: page("alipay.trade.page.pay", "FAST_INSTANT_TRADE_PAY", "ORDER_PAGE") },
    ];
    for (const payload of payloads)
      expect(await harness.control("POST", "/pay", { payload })).toMatchObject({ json: { state: "PAID" } });
    expect(harness.delivered.map((delivery) => formOf(delivery)["out_trade_no"])).toEqual([
      "ORDER_APP",
      "ORDER_WAP",
      "ORDER_PAGE",
    ]);
  });

  it("sends the customer's browser to the page of the wallet with a form", async () => {
    const form = clientOf(mode).pageExecute("alipay.trade.page.pay", "POST", {
      bizContent: orderB({ product_code: "FAST_INSTANT_TRADE_PAY" }),
      notifyUrl: NOTIFY,
    });
    // As in a browser, the hidden fields of the form are the body.
    const action = /action="([^"]+)"/.exec(form)?.[1] ?? "";
    const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]): [string, string] => [name, value.replaceAll("&quot;", '"')],
    );
    expect(fields.map(([name]) => name)).toContain("biz_content");
    const response = await fetch(action, { method: "POST", body: new URLSearchParams(fields) });
    expect(await response.text()).toContain("¥6.00");
    expect(await exec("alipay.trade.query", named)).toMatchObject({ tradeStatus: "WAIT_BUYER_PAY" });
  });

  it("creates a trade for a customer, closes it, and cancels another trade", async () => {
    const order = (out_trade_no: string) =>
      orderB({ out_trade_no, product_code: "JSAPI_PAY", buyer_id: BUYER });
    const made = await exec("alipay.trade.create", order(NUMBER));
    expect(made).toMatchObject({ code: "10000", outTradeNo: NUMBER });
    expect(await exec("alipay.trade.close", { trade_no: tradeNo(made) })).toMatchObject({ code: "10000" });
    expect(await exec("alipay.trade.query", named)).toMatchObject({ tradeStatus: "TRADE_CLOSED" });
    await exec("alipay.trade.create", order("ORDER_2"));
    expect(await exec("alipay.trade.cancel", { out_trade_no: "ORDER_2" })).toMatchObject({
      code: "10000",
      action: "close",
      retryFlag: "N",
    });
    expect(await exec("alipay.trade.query", { out_trade_no: "ORDER_9" })).toMatchObject({
      code: "40004",
      subCode: "ACQ.TRADE_NOT_EXIST",
    });
  });

  it("charges a scanned code, and refunds it by cancelling", async () => {
    const { json } = await harness.control("POST", "/pay-code", {});
    const paid = await exec("alipay.trade.pay", orderB({ scene: "bar_code", auth_code: json["authCode"] }));
    expect(paid).toMatchObject({ code: "10000", totalAmount: "6.00", buyerPayAmount: "6.00" });
    expect(await exec("alipay.trade.cancel", named)).toMatchObject({ code: "10000", action: "refund" });
    const later = await harness.control("POST", "/pay-code", { use: "confirms-later" });
    const waiting = orderB({
      scene: "bar_code",
      auth_code: later.json["authCode"],
      out_trade_no: "ORDER_2",
    });
    expect(await exec("alipay.trade.pay", waiting)).toMatchObject({ code: "10003", outTradeNo: "ORDER_2" });
  });

  it("refunds, and queries the refund", async () => {
    await exec("alipay.trade.precreate", orderB());
    await harness.sandbox.simulatorControls.pay(NUMBER);
    const part = { ...named, out_request_no: "R_1", refund_amount: "2.00", refund_reason: "returned" };
    expect(await exec("alipay.trade.refund", part)).toMatchObject({ fundChange: "Y", refundFee: "2.00" });
    expect(await exec("alipay.trade.refund", part)).toMatchObject({ code: "10000", fundChange: "N" });
    const parameters = {
      ...named,
      out_request_no: "R_1",
      query_options: ["gmt_refund_pay", "deposit_back_info"],
    };
    expect(await exec("alipay.trade.fastpay.refund.query", parameters)).toMatchObject({
      refundStatus: "REFUND_SUCCESS",
      refundAmount: "2.00",
      gmtRefundPay: "2026-11-20 12:00:00",
    });
    await harness.control("POST", "/funds", { walletB: 0 });
    expect(await exec("alipay.trade.refund", { ...part, out_request_no: "R_2" })).toMatchObject({
      subCode: "ACQ.SELLER_BALANCE_NOT_ENOUGH",
    });
  });

  it.each(["trade", "signcustomer"])("downloads a bill: %s", async (bill_type) => {
    await exec("alipay.trade.precreate", orderB());
    await harness.sandbox.simulatorControls.pay(NUMBER);
    await harness.leap(86_400_000);
    const bill = { bill_type, bill_date: "2026-11-20" };
    const requested = await exec("alipay.data.dataservice.bill.downloadurl.query", bill);
    const { billDownloadUrl } = z.looseObject({ billDownloadUrl: z.url() }).parse(requested);
    const file = Buffer.from(await (await fetch(billDownloadUrl)).arrayBuffer());
    expect(file.subarray(0, 2).toString()).toBe("PK");
  });

  it("verifies every notification: of payments, refunds and ended trades", async () => {
    await exec("alipay.trade.precreate", orderB({ subject: "100% 大乐透+2.1" }));
    await harness.sandbox.simulatorControls.pay(NUMBER);
    for (const [number, amount] of [
      ["R_1", "2.00"],
      ["R_2", "4.00"],
    ]) {
      await exec("alipay.trade.refund", { ...named, out_request_no: number, refund_amount: amount });
      await harness.leap(5_000);
    }
    const unpaid = { out_trade_no: "ORDER_2", timeout_express: "5m", product_code: "JSAPI_PAY" };
    await exec("alipay.trade.create", orderB({ ...unpaid, buyer_id: BUYER }));
    await harness.leap(300_001);
    const reported = harness.delivered.map(formOf);
    expect(reported.map((form) => form["trade_status"])).toEqual([
      "TRADE_SUCCESS",
      "TRADE_SUCCESS",
      "TRADE_CLOSED",
      "TRADE_CLOSED",
    ]);
    for (const form of reported) {
      expect(clientOf(mode).checkNotifySignV2({ ...form })).toBe(true);
      expect(clientOf(mode).checkNotifySignV2({ ...form, total_amount: "0.01" })).toBe(false);
    }
  });

  it.each(["bad-signature", "unsigned", "retired-key"])("rejects a response that is %s", async (prepay) => {
    await harness.control("POST", "/faults", { walletB: { prepay } });
    await expect(exec("alipay.trade.precreate", orderB())).rejects.toThrow();
    await harness.control("POST", "/faults", { walletB: null });
    expect(await exec("alipay.trade.precreate", orderB())).toMatchObject({ code: "10000" });
  });
});

describe("alipay-sdk with the authorisation of a merchant", () => {
  it("creates, queries and refunds for one merchant, and not for another", async () => {
    const [first, second] = harness.sandbox.subMerchants.map(({ WALLET_B }) => WALLET_B);
    const exec = (method: string, shop: typeof first, bizContent: object): Promise<unknown> => {
      const { appAuthToken } = { appAuthToken: "unknown", ...shop?.credentials };
      const call = { bizContent, notifyUrl: NOTIFY, appAuthToken };
      return clientOf("keys").exec(method, call, { validateSign: true });
    };
    const made = await exec("alipay.trade.precreate", first, orderB());
    const { qrCode } = z.looseObject({ qrCode: z.url() }).parse(made);
    await harness.control("POST", "/pay", { payload: { qr_code: qrCode } });
    const paid = { code: "10000", tradeStatus: "TRADE_SUCCESS" };
    expect(await exec("alipay.trade.query", first, named)).toMatchObject(paid);
    const absent = { code: "40004", subCode: "ACQ.TRADE_NOT_EXIST" };
    expect(await exec("alipay.trade.query", second, named)).toMatchObject(absent);
    expect(await exec("alipay.trade.query", undefined, named)).toMatchObject({
      code: "20001",
      subCode: "aop.invalid-app-auth-token",
    });
    const refund = { ...named, refund_amount: "1.00", out_request_no: "R-1" };
    expect(await exec("alipay.trade.refund", second, refund)).toMatchObject(absent);
    expect(await exec("alipay.trade.refund", first, refund)).toMatchObject({ code: "10000" });
    const [notification] = harness.delivered;
    if (notification === undefined) throw new Error("The wallet sent no notification.");
    expect(formOf(notification)).toMatchObject({
      app_id: "2014072300007148",
      auth_app_id: "2021000000000201",
      seller_id: "2088102119680201",
    });
  });
});
