import { orThrow } from "@tillkit/core";
import { beforeEach, describe, expect, it } from "vitest";
import { beijing } from "../testing/beijing.js";
import {
  formOf,
  NOON,
  NOTIFIED,
  NUMBER,
  openHarness,
  orderB,
  type SandboxHarness,
} from "../testing/sandbox-harness.js";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const BUYER = { buyer_id: "2088102146225135" };
const named = { out_trade_no: NUMBER };

let harness: SandboxHarness;
beforeEach(async () => {
  harness = await openHarness();
});

const call = async (method: string, content: object) =>
  (await harness.sendB(method, content, { common: NOTIFIED })).node;
const query = (...query_options: readonly string[]) =>
  call("alipay.trade.query", { ...named, query_options });
const reported = () => harness.delivered.map(formOf);

describe("alipay.trade.create", () => {
  const order = (changes: object = {}) => orderB({ product_code: "JSAPI_PAY", ...BUYER, ...changes });

  it("creates a trade at once, which the customer pays by its number", async () => {
    const made = await call("alipay.trade.create", order());
    expect(made).toMatchObject({ code: "10000", out_trade_no: NUMBER });
    expect(await query()).toMatchObject({ trade_status: "WAIT_BUYER_PAY", buyer_user_id: BUYER.buyer_id });
    // The same request again gives the same trade. Another request under its number is refused.
    expect(await call("alipay.trade.create", order())).toEqual(made);
    expect(await call("alipay.trade.create", order({ total_amount: "6.01" }))).toMatchObject({
      sub_code: "ACQ.CONTEXT_INCONSISTENT",
    });
    const trade_no = String(made["trade_no"]);
    expect(await harness.control("POST", "/pay", { payload: { tradeNO: `${trade_no}0` } })).toMatchObject({
      status: 422,
    });
    expect(await harness.control("POST", "/pay", { payload: { tradeNO: trade_no } })).toMatchObject({
      status: 200,
      json: { outTradeNo: NUMBER, state: "PAID", notified: true },
    });
    expect(reported()).toMatchObject([{ trade_status: "TRADE_SUCCESS", buyer_id: BUYER.buyer_id }]);
  });

  it.each(["buyer_open_id", "op_buyer_open_id"])(
    "accepts a customer by %s, and returns the same id",
    async (name) => {
      const open = "074a1CcTG1LelxKe4xQC0zgNdId0nxi95b5lsNpazWYoCo5";
      const { buyer_id: _none, ...others } = BUYER;
      const made = await call(
        "alipay.trade.create",
        orderB({ product_code: "JSAPI_PAY", ...others, [name]: open }),
      );
      await harness.control("POST", "/pay", { payload: { trade_no: made["trade_no"] } });
      expect(await query()).toMatchObject({ buyer_open_id: open });
      expect(await query()).not.toHaveProperty("buyer_user_id");
      expect(reported()).toMatchObject([{ buyer_open_id: open }]);
      expect(reported()[0]).not.toHaveProperty("buyer_id");
    },
  );

  it.each([
    ["buyer_id", { buyer_id: undefined }],
    ["buyer_id", { buyer_id: "1" }],
    ["product_code", { product_code: "QUICK_WAP_WAY" }],
  ])("rejects an invalid %s: %j", async (name, changes) => {
    const answer = await call("alipay.trade.create", order(changes));
    expect(answer).toMatchObject({ code: "40004", sub_code: "ACQ.INVALID_PARAMETER" });
    expect(answer["sub_msg"]).toContain(name);
  });
});

describe("alipay.trade.pay", () => {
  const pay = (auth_code: unknown, changes: object = {}) =>
    call("alipay.trade.pay", orderB({ scene: "bar_code", auth_code, ...changes }));
  const shown = async (use?: string) =>
    (await harness.control("POST", "/pay-code", use === undefined ? {} : { use })).json["authCode"];

  it("charges a customer who shows a code at once", async () => {
    const paid = await pay(await shown());
    expect(paid).toMatchObject({
      code: "10000",
      out_trade_no: NUMBER,
      total_amount: "6.00",
      receipt_amount: "6.00",
      buyer_pay_amount: "6.00",
      invoice_amount: "6.00",
      point_amount: "0.00",
      gmt_payment: "2026-11-20 12:00:00",
      buyer_logon_id: "san***@sandbox.com",
      fund_bill_list: [{ amount: "6.00", fund_channel: "ALIPAYACCOUNT" }],
    });
    expect(await query()).toMatchObject({ trade_status: "TRADE_SUCCESS", trade_no: paid["trade_no"] });
    await expect.poll(reported).toMatchObject([{ trade_status: "TRADE_SUCCESS", total_amount: "6.00" }]);
    expect(await pay(await shown())).toMatchObject({ sub_code: "ACQ.TRADE_HAS_SUCCESS" });
  });

  it("waits for a customer who has to confirm", async () => {
    expect(await pay(await shown("confirms-later"))).toMatchObject({ code: "10003", out_trade_no: NUMBER });
    expect(await query()).toMatchObject({ trade_status: "WAIT_BUYER_PAY" });
    expect(await harness.control("POST", "/pay", { outTradeNo: NUMBER })).toMatchObject({
      json: { state: "PAID", notified: true },
    });
    expect(await query()).toMatchObject({ trade_status: "TRADE_SUCCESS" });
  });

  it("accepts a code once, and within a minute", async () => {
    const code = await shown();
    await pay(code);
    expect(await pay(code, { out_trade_no: "ORDER_2" })).toMatchObject({
      sub_code: "ACQ.PAYMENT_AUTH_CODE_INVALID",
    });
    const old = await shown();
    await harness.advance(60_001);
    for (const bad of [old, "280000000000000000"])
      expect(await pay(bad, { out_trade_no: "ORDER_2" })).toMatchObject({
        sub_code: "ACQ.PAYMENT_AUTH_CODE_INVALID",
      });
    for (const bad of [undefined, "12"])
      expect(await pay(bad, { out_trade_no: "ORDER_2" })).toMatchObject({
        sub_code: "ACQ.INVALID_PARAMETER",
      });
    expect(await pay(await shown(), { out_trade_no: "ORDER_2", scene: "wave_code" })).toMatchObject({
      sub_code: "ACQ.INVALID_PARAMETER",
    });
  });
});

describe("alipay.trade.page.pay", () => {
  const order = orderB({ product_code: "FAST_INSTANT_TRADE_PAY" });

  it.each(["GET", "split"] as const)("shows its page and creates the trade: %s", async (way) => {
    const { type } = await harness.sendB("alipay.trade.page.pay", order, { common: NOTIFIED, way });
    expect(type).toContain("text/html");
    expect(await query()).toMatchObject({ trade_status: "WAIT_BUYER_PAY" });
    await harness.sandbox.simulatorControls.pay(NUMBER);
    expect(await query()).toMatchObject({ trade_status: "TRADE_SUCCESS" });
  });

  it("creates no trade for another product", async () => {
    await harness.sendB("alipay.trade.page.pay", orderB({ product_code: "QUICK_WAP_WAY" }), { way: "GET" });
    expect(await query()).toMatchObject({ sub_code: "ACQ.TRADE_NOT_EXIST" });
  });
});

describe("what Alipay reports and returns about a trade", () => {
  it("has every field of a real notification of a payment", async () => {
    await call("alipay.trade.precreate", orderB({ body: "VIP", passback_params: "a%26b" }));
    orThrow(harness.sandbox.simulatorControls.open(NUMBER));
    await harness.advance(90_000);
    await harness.sandbox.simulatorControls.pay(NUMBER);
    const { sign, notify_id, trade_no, ...others } = reported()[0] ?? {};
    expect([sign, notify_id, trade_no].every((value) => (value ?? "") !== "")).toBe(true);
    expect(others).toEqual({
      notify_time: "2026-11-20 12:01:30",
      notify_type: "trade_status_sync",
      charset: "utf-8",
      version: "1.0",
      sign_type: "RSA2",
      app_id: "2014072300007148",
      auth_app_id: "2014072300007148",
      seller_id: "2088102119685838",
      seller_email: "seller@sandbox.example",
      buyer_id: "2088102116773037",
      buyer_logon_id: "san***@sandbox.com",
      out_trade_no: NUMBER,
      trade_status: "TRADE_SUCCESS",
      subject: "VIP 会员",
      body: "VIP",
      passback_params: "a%26b",
      gmt_create: "2026-11-20 12:00:00",
      gmt_payment: "2026-11-20 12:01:30",
      total_amount: "6.00",
      receipt_amount: "6.00",
      buyer_pay_amount: "6.00",
      invoice_amount: "6.00",
      point_amount: "0.00",
      fund_bill_list: '[{"amount":"6.00","fundChannel":"ALIPAYACCOUNT"}]',
    });
  });

  it("answers a query with the payment channels only if they are requested", async () => {
    await call("alipay.trade.precreate", orderB());
    await harness.sandbox.simulatorControls.pay(NUMBER);
    expect(await query()).toMatchObject({ buyer_user_type: "PRIVATE", send_pay_date: "2026-11-20 12:00:00" });
    expect(await query()).not.toHaveProperty("fund_bill_list");
    expect(await query("fund_bill_list")).toMatchObject({
      fund_bill_list: [{ amount: "6.00", fund_channel: "ALIPAYACCOUNT" }],
    });
  });

  const expiring = (changes: object = {}) =>
    orderB({ product_code: "JSAPI_PAY", ...BUYER, time_expire: beijing(NOON + HOUR), ...changes });

  it("reports that a trade ended unpaid after it has expired", async () => {
    await call("alipay.trade.create", expiring());
    await harness.advance(HOUR);
    expect(reported()).toEqual([]);
    await harness.advance(1);
    const [reportedFacts = {}] = reported();
    expect(reportedFacts).toMatchObject({ trade_status: "TRADE_CLOSED", gmt_close: "2026-11-20 13:00:00" });
    expect(reportedFacts).not.toHaveProperty("gmt_payment");
    expect(reportedFacts).not.toHaveProperty("refund_fee");
    await harness.advance(DAY);
    expect(reported()).toHaveLength(1);
  });

  it("reports no end of a trade that was paid, and one end of a trade that was closed by a call", async () => {
    await call("alipay.trade.create", expiring());
    await harness.sandbox.simulatorControls.pay(NUMBER);
    await call("alipay.trade.create", expiring({ out_trade_no: "ORDER_2" }));
    await call("alipay.trade.close", { out_trade_no: "ORDER_2" });
    await harness.advance(DAY);
    expect(reported().map(({ out_trade_no, trade_status }) => [out_trade_no, trade_status])).toEqual([
      [NUMBER, "TRADE_SUCCESS"],
      ["ORDER_2", "TRADE_CLOSED"],
    ]);
  });
});
