import { beforeEach, describe, expect, it } from "vitest";
import { codeIn, envelope, members } from "./testing/json.js";
import { decryptWalletA } from "./testing/notifications.js";
import {
  formOf,
  NOTIFIED,
  NUMBER,
  openHarness,
  orderA,
  orderB,
  type SandboxHarness,
} from "./testing/sandbox-harness.js";

let harness: SandboxHarness;
beforeEach(async () => {
  harness = await openHarness();
});

async function orderAtA(): Promise<void> {
  await harness.callA("/v3/pay/transactions/app", orderA(harness));
}

async function orderAtB(): Promise<void> {
  const content = { ...orderB(), product_code: "JSAPI_PAY", buyer_id: "2088102116773037" };
  await harness.sendB("alipay.trade.create", content, { common: NOTIFIED });
}

const pay = (how: object = {}) => harness.control("POST", "/pay", { outTradeNo: NUMBER, ...how });
const tradeA = async () =>
  members((await harness.callA(`/v3/pay/transactions/out-trade-no/${NUMBER}?mchid=${mchid()}`)).text);
const tradeB = async (...query_options: readonly string[]) =>
  (await harness.sendB("alipay.trade.query", { out_trade_no: NUMBER, query_options })).node;
const mchid = () => harness.sandbox.merchant.walletA.mchid;
const refundAtA = (no: string, body: object = {}, amount: object = {}) =>
  harness.callA("/v3/refund/domestic/refunds", {
    out_trade_no: NUMBER,
    out_refund_no: no,
    amount: { refund: 100, total: 600, currency: "CNY", ...amount },
    ...body,
  });

describe("a refund in the console", () => {
  it("of WeChat Pay has a number that the wallet chose, and causes no notification", async () => {
    await orderAtA();
    await pay();
    const { status, json } = await harness.control("POST", "/console-refund", {
      outTradeNo: NUMBER,
      amount: 40,
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      outTradeNo: NUMBER,
      payChannel: "WALLET_A",
      amount: 40,
      state: "PROCESSING",
    });
    expect(json["refundNo"]).toMatch(/^\d{28}$/);
    await harness.advance(60_000);
    const found = await harness.callA(`/v3/refund/domestic/refunds/${String(json["refundNo"])}`);
    expect(members(found.text)).toMatchObject({ status: "SUCCESS", amount: { refund: 40, total: 600 } });
    expect(harness.delivered).toHaveLength(1);
  });

  it("of WeChat Pay causes a notification if requested, and refunds the rest by default", async () => {
    await orderAtA();
    await pay();
    await harness.control("POST", "/console-refund", { outTradeNo: NUMBER, amount: 200 });
    const { json } = await harness.control("POST", "/console-refund", { outTradeNo: NUMBER, notify: true });
    expect(json).toMatchObject({ amount: 400 });
    await harness.advance(60_000);
    const [, told] = harness.delivered;
    expect(envelope(told?.body ?? "").event_type).toBe("REFUND.SUCCESS");
    expect(await harness.control("POST", "/console-refund", { outTradeNo: NUMBER })).toEqual({
      status: 409,
      json: { error: "The wallet refuses the refund: exceeds." },
    });
  });

  it("of Alipay causes a notification unless the caller suppresses it", async () => {
    await orderAtB();
    await pay();
    const loud = await harness.control("POST", "/console-refund", { outTradeNo: NUMBER, amount: 150 });
    await harness.control("POST", "/console-refund", { outTradeNo: NUMBER, amount: 50, notify: false });
    await harness.advance(60_000);
    expect(harness.delivered.slice(1).map(formOf)).toMatchObject([
      { out_biz_no: loud.json["refundNo"], refund_fee: "1.50", trade_status: "TRADE_SUCCESS" },
    ]);
    expect(harness.sandbox.refundControls.refundsOf(NUMBER).map(({ amount }) => amount)).toEqual([150, 50]);
  });

  it("needs an order", async () => {
    expect(await harness.control("POST", "/console-refund", { outTradeNo: NUMBER })).toMatchObject({
      status: 404,
    });
  });
});

describe("a finished trade of Alipay", () => {
  it("accepts no refund, and causes a notification", async () => {
    await orderAtB();
    await pay();
    expect(await harness.control("POST", "/finish", { outTradeNo: NUMBER })).toMatchObject({ status: 200 });
    expect(await tradeB()).toMatchObject({ trade_status: "TRADE_FINISHED" });
    expect(harness.delivered.map(formOf).at(-1)).toMatchObject({ trade_status: "TRADE_FINISHED" });
    const refused = await harness.sendB("alipay.trade.refund", {
      out_trade_no: NUMBER,
      out_request_no: "R_1",
      refund_amount: "1.00",
    });
    expect(refused.node).toMatchObject({ sub_code: "ACQ.TRADE_HAS_FINISHED" });
  });

  it("must be paid, and exists only at Alipay", async () => {
    await orderAtB();
    expect(await harness.control("POST", "/finish", { outTradeNo: NUMBER })).toMatchObject({ status: 409 });
    expect(await harness.control("POST", "/finish", { outTradeNo: "unknown" })).toMatchObject({
      status: 404,
    });
  });
});

describe("a coupon", () => {
  it("lowers what the payer pays at WeChat Pay, and returns its share with each refund", async () => {
    await orderAtA();
    await pay({ coupon: 90, payerCurrency: "HKD" });
    expect(await tradeA()).toMatchObject({
      amount: { total: 600, payer_total: 510, currency: "CNY", payer_currency: "HKD" },
      promotion_detail: [{ amount: 90, wechatpay_contribute: 90, merchant_contribute: 0 }],
    });
    expect(decryptWalletA(harness.delivered[0]!)).toMatchObject({ amount: { total: 600, payer_total: 510 } });
    expect(members((await refundAtA("R-1")).text)).toMatchObject({
      amount: { refund: 100, payer_refund: 85, discount_refund: 15 },
    });
  });

  it("is a red packet at Alipay", async () => {
    await orderAtB();
    await pay({ coupon: 90 });
    expect(await tradeB("fund_bill_list")).toMatchObject({
      total_amount: "6.00",
      receipt_amount: "6.00",
      buyer_pay_amount: "5.10",
      fund_bill_list: [
        { amount: "5.10", fund_channel: "ALIPAYACCOUNT" },
        { amount: "0.90", fund_channel: "COUPON" },
      ],
    });
    expect(formOf(harness.delivered[0]!)["fund_bill_list"]).toBe(
      '[{"amount":"5.10","fundChannel":"ALIPAYACCOUNT"},{"amount":"0.90","fundChannel":"COUPON"}]',
    );
  });
});

describe("an order at WeChat Pay", () => {
  it("shows attempts to pay until it is paid", async () => {
    await orderAtA();
    for (const as of ["USERPAYING", "PAYERROR"]) {
      expect(await harness.control("POST", "/attempt", { outTradeNo: NUMBER, as })).toMatchObject({
        status: 200,
      });
      expect(await tradeA()).toMatchObject({ trade_state: as });
    }
    await pay();
    expect(await tradeA()).toMatchObject({ trade_state: "SUCCESS" });
    expect(await harness.control("POST", "/attempt", { outTradeNo: NUMBER, as: "PAYERROR" })).toMatchObject({
      status: 409,
    });
  });

  it("has one valid code: a new code makes the previous one invalid", async () => {
    const code = async () =>
      members((await harness.callA("/v3/pay/transactions/native", orderA(harness))).text)["code_url"];
    const [old, current] = [await code(), await code()];
    expect(old).not.toBe(current);
    expect(await harness.control("POST", "/pay", { payload: { code_url: old } })).toMatchObject({
      status: 422,
      json: { error: "The wallet refuses the payload: the payload has expired: request a new one." },
    });
    expect(await harness.control("POST", "/pay", { payload: { code_url: current } })).toMatchObject({
      status: 200,
    });
  });

  it("with unsettled money refunds only from the account AVAILABLE", async () => {
    await orderAtA();
    await pay();
    await harness.control("POST", "/refunds", { walletA: { unsettled: true } });
    expect(codeIn((await refundAtA("R-1")).text)).toBe("NOT_ENOUGH");
    expect(codeIn((await refundAtA("R-1", { funds_account: "UNSETTLED" })).text)).toBe("NOT_ENOUGH");
    expect((await refundAtA("R-1", { funds_account: "AVAILABLE" })).status).toBe(200);
    const from = (amount: number) => ({ from: [{ account: "AVAILABLE", amount }] });
    expect(codeIn((await refundAtA("R-2", {}, from(99))).text)).toBe("PARAM_ERROR");
    expect((await refundAtA("R-2", {}, from(100))).status).toBe(200);
  });
});

describe("a merchant", () => {
  it("whose key was revoked, or whose account is disabled, is refused by WeChat Pay", async () => {
    await orderAtA();
    const answer = async () => {
      const { status, text } = await harness.callA(
        `/v3/pay/transactions/out-trade-no/${NUMBER}?mchid=${mchid()}`,
      );
      return `${status} ${status === 200 ? "" : codeIn(text)}`.trim();
    };
    const set = (merchant: string | null) => harness.control("POST", "/faults", { walletA: { merchant } });
    await set("revoked-key");
    expect(await answer()).toBe("401 SIGN_ERROR");
    await set("disabled");
    expect(await answer()).toBe("403 NO_AUTH");
    await set(null);
    expect(await answer()).toBe("200");
  });

  it("whose key was revoked, or whose app is disabled, is refused by Alipay", async () => {
    await orderAtB();
    await harness.control("POST", "/faults", { walletB: { merchant: "revoked-key" } });
    expect(await tradeB()).toMatchObject({ code: "40002", sub_code: "isv.invalid-signature" });
    await harness.control("POST", "/faults", { walletB: { merchant: "disabled" } });
    expect(await tradeB()).toMatchObject({ code: "40006", sub_code: "isv.insufficient-isv-permissions" });
  });
});

describe("a second payment", () => {
  it("is a notification with another number of the wallet, with a valid signature", async () => {
    await orderAtA();
    await pay();
    await harness.control("POST", "/notify", { outTradeNo: NUMBER, as: "other-payment" });
    const [first, second] = harness.delivered.map((one) => decryptWalletA(one)["transaction_id"]);
    expect(second).not.toBe(first);
  });
});
