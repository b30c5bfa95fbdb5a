import { inflateRawSync } from "node:zlib";
import { orThrow } from "@tillkit/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  formOf,
  NOTIFIED,
  NUMBER,
  openHarness,
  orderB,
  type SandboxHarness,
} from "./testing/sandbox-harness.js";

const DAY = 86_400_000;

let harness: SandboxHarness;
beforeEach(async () => {
  harness = await openHarness();
  await harness.sendB("alipay.trade.precreate", orderB(), { common: NOTIFIED });
  await orThrow(harness.sandbox.simulatorControls.pay(NUMBER));
});

const refund = async (number = "R_1", changes: object = {}) => {
  const content = { out_trade_no: NUMBER, out_request_no: number, refund_amount: "1.00", ...changes };
  return (await harness.sendB("alipay.trade.refund", content)).node;
};
const stated = async (number = "R_1", ...query_options: readonly string[]) => {
  const content = { out_trade_no: NUMBER, out_request_no: number, query_options };
  return (await harness.sendB("alipay.trade.fastpay.refund.query", content)).node;
};
const rules = (walletB: object) => harness.control("POST", "/refunds", { walletB });
const reported = () => harness.delivered.slice(1).map(formOf);

describe("a refund at Alipay", () => {
  it("is in progress for the days that the control interface sets, and then done", async () => {
    await rules({ takes: 3 * DAY });
    const requested = await refund();
    expect(requested).toMatchObject({ code: "10000", fund_change: "N", refund_fee: "0.00" });
    expect(requested).not.toHaveProperty("gmt_refund_pay");
    await harness.advance(3 * DAY - 1);
    expect(await refund()).toMatchObject({ code: "10000", fund_change: "N" });
    const open = await stated();
    expect(open).toMatchObject({ code: "10000", out_request_no: "R_1", refund_amount: "1.00" });
    expect(open).not.toHaveProperty("refund_status");
    expect(reported()).toEqual([]);
    await harness.advance(1);
    expect(await stated()).toMatchObject({ refund_status: "REFUND_SUCCESS" });
    expect(await refund()).toMatchObject({ fund_change: "N", gmt_refund_pay: "2026-11-23 12:00:00" });
    await harness.advance(1_000);
    expect(reported()).toMatchObject([{ trade_status: "TRADE_SUCCESS", out_biz_no: "R_1" }]);
  });

  it("that fails leaves no trace, and can be repeated with the same number", async () => {
    await rules({ takes: 1_000, ends: "CLOSED" });
    expect(await refund("R_1", { refund_amount: "6.00" })).toMatchObject({ fund_change: "N" });
    expect((await harness.sendB("alipay.trade.query", { out_trade_no: NUMBER })).node).toMatchObject({
      trade_status: "TRADE_SUCCESS",
    });
    await harness.advance(10_000);
    expect(await stated()).toEqual({
      name: "alipay_trade_fastpay_refund_query_response",
      code: "10000",
      msg: "Success",
    });
    expect(reported()).toEqual([]);
    expect(harness.sandbox.simulatorControls.balance("WALLET_B")).toBe(600);
    expect(await harness.control("POST", "/refunds", { walletB: null })).toMatchObject({
      json: { walletB: { takes: 0, ends: "SUCCESS", chargeError: false, depositBack: null } },
    });
    expect(await refund("R_1", { refund_amount: "6.00" })).toMatchObject({ fund_change: "Y" });
    expect(harness.sandbox.simulatorControls.balance("WALLET_B")).toBe(0);
  });

  it("of the whole amount closes the trade, and its notification states the time", async () => {
    await refund("R_1", { refund_amount: "2.00" });
    await harness.advance(5_000);
    await refund("R_2", { refund_amount: "4.00" });
    await harness.advance(1_000);
    const [part = {}, whole = {}] = reported();
    expect(part).toMatchObject({ trade_status: "TRADE_SUCCESS", refund_fee: "2.00" });
    expect(part).not.toHaveProperty("gmt_close");
    expect(whole).toMatchObject({
      trade_status: "TRADE_CLOSED",
      refund_fee: "6.00",
      gmt_payment: "2026-11-20 12:00:00",
      gmt_refund: "2026-11-20 12:00:05.000",
      gmt_close: "2026-11-20 12:00:05",
    });
  });

  it("is refused while its fee cannot be returned, and while the merchant's balance is too small", async () => {
    await rules({ chargeError: true });
    expect(await refund()).toMatchObject({ code: "40004", sub_code: "ACQ.REFUND_CHARGE_ERROR" });
    await rules({ chargeError: false });
    await harness.control("POST", "/funds", { walletB: 99 });
    expect(await refund()).toMatchObject({ code: "40004", sub_code: "ACQ.SELLER_BALANCE_NOT_ENOUGH" });
    expect(await stated()).not.toHaveProperty("out_request_no");
    await harness.control("POST", "/funds/top-up", { walletB: 1 });
    expect(await refund()).toMatchObject({ fund_change: "Y" });
  });

  it("is accepted within a year of the payment", async () => {
    await harness.advance(365 * DAY);
    expect(await refund()).toMatchObject({ code: "10000" });
    await harness.advance(1);
    expect(await refund("R_2")).toMatchObject({ sub_code: "ACQ.TRADE_HAS_FINISHED" });
  });

  it("is returned with the members that query_options request", async () => {
    await rules({ depositBack: "P" });
    const plain = await refund();
    expect(plain).toHaveProperty("gmt_refund_pay");
    for (const name of ["refund_detail_item_list", "send_back_fee", "deposit_back_info"])
      expect(plain, name).not.toHaveProperty(name);
    expect(Object.keys(await stated()).sort()).toEqual(
      ["code", "msg", "name", "out_request_no", "out_trade_no", "refund_amount", "refund_status"].concat(
        "total_amount",
        "trade_no",
      ),
    );
    expect(await stated("R_1", "gmt_refund_pay")).toMatchObject({ gmt_refund_pay: "2026-11-20 12:00:00" });
    expect(await stated("R_1", "gmt_refund_pay")).not.toHaveProperty("deposit_back_info");
    expect(await stated("R_1", "refund_detail_item_list")).toMatchObject({
      refund_detail_item_list: [{ amount: "1.00", fund_channel: "ALIPAYACCOUNT" }],
      send_back_fee: "1.00",
    });
    expect(await stated("R_1", "deposit_back_info")).toMatchObject({
      deposit_back_info: { has_deposit_back: "true", dback_status: "P", dback_amount: "1.00" },
    });
    expect(await refund("R_2", { query_options: ["refund_detail_item_list"] })).toMatchObject({
      refund_detail_item_list: [{ amount: "1.00" }],
    });
  });

  it("may be returned by the customer's bank", async () => {
    await rules({ depositBack: "P" });
    await refund();
    expect(await harness.control("POST", "/refunds/R_1", { depositBack: "F" })).toMatchObject({
      status: 200,
      json: { state: "SUCCESS", depositBack: "F" },
    });
    expect(await stated("R_1", "deposit_back_info")).toMatchObject({
      refund_status: "REFUND_SUCCESS",
      deposit_back_info: { dback_status: "F" },
    });
    await harness.control("POST", "/refunds/R_1", { depositBack: "S" });
    expect(await stated("R_1", "deposit_back_info")).toMatchObject({
      deposit_back_info: { dback_status: "S", bank_ack_time: "2026-11-20 12:00:00" },
    });
  });
});

describe("the bill of a day at Alipay", () => {
  const billOf = async (bill_date: string) => {
    const method = "alipay.data.dataservice.bill.downloadurl.query";
    const { node } = await harness.sendB(method, { bill_type: "trade", bill_date });
    const archive = Buffer.from(await (await fetch(String(node["bill_download_url"]))).arrayBuffer());
    // The first file follows its header. Its text is GBK.
    const start = 30 + archive.readUInt16LE(26) + archive.readUInt16LE(28);
    const packed = archive.subarray(start, start + archive.readUInt32LE(18));
    return new TextDecoder("gbk").decode(inflateRawSync(packed));
  };

  it("lists a refund on the day on which it is done, and no failed one", async () => {
    await rules({ takes: 2 * DAY });
    await refund("R_1");
    await rules({ takes: 0, ends: "CLOSED" });
    await refund("R_2");
    await harness.advance(3 * DAY);
    const [accepted, done] = [await billOf("2026-11-20"), await billOf("2026-11-22")];
    expect(["R_1", "R_2"].map((number) => [accepted.includes(number), done.includes(number)])).toEqual([
      [false, true],
      [false, false],
    ]);
  });
});

describe("alipay.trade.cancel", () => {
  const cancel = async (name: object = { out_trade_no: NUMBER }) =>
    (await harness.sendB("alipay.trade.cancel", name)).node;

  it("refunds a paid trade once", async () => {
    expect(await cancel()).toMatchObject({ code: "10000", action: "refund", retry_flag: "N" });
    expect(await cancel()).toMatchObject({ code: "10000", action: "refund", retry_flag: "N" });
    expect(harness.sandbox.simulatorControls.balance("WALLET_B")).toBe(0);
    await harness.advance(1_000);
    expect(reported()).toMatchObject([
      { trade_status: "TRADE_CLOSED", out_biz_no: NUMBER, refund_fee: "6.00" },
    ]);
  });

  it("is refused if the merchant's balance is too small, or after a partial refund", async () => {
    await harness.control("POST", "/funds", { walletB: 0 });
    expect(await cancel()).toMatchObject({ sub_code: "ACQ.SELLER_BALANCE_NOT_ENOUGH" });
    await harness.control("POST", "/funds", { walletB: null });
    await refund();
    expect(await cancel()).toMatchObject({ sub_code: "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL" });
  });

  it("closes an unpaid trade, and succeeds for an unknown one", async () => {
    const other = { out_trade_no: "ORDER_2" };
    expect(await cancel(other)).toMatchObject({ code: "10000", out_trade_no: "ORDER_2", retry_flag: "N" });
    expect(await cancel(other)).not.toHaveProperty("action");
    await harness.sendB("alipay.trade.precreate", orderB(other));
    orThrow(harness.sandbox.simulatorControls.open("ORDER_2"));
    const closed = await cancel(other);
    expect(closed).toMatchObject({ code: "10000", action: "close" });
    expect(await cancel({ trade_no: closed["trade_no"] })).toMatchObject({ action: "close" });
    expect((await harness.sandbox.simulatorControls.pay("ORDER_2")).isErr()).toBe(true);
  });
});
