import { describe, expect, it } from "vitest";
import { sha256 } from "../shared/sha256.js";
import { formText, notificationText, readForm, requestText } from "./sign.js";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("what WALLET_B signs", () => {
  const bizContent =
    '{"body":"VIP","out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","product_code":"QUICK_MSECURITY_PAY",' +
    '"subject":"VIP 会员","total_amount":"1.00","time_expire":"2026-11-20 20:30:00"}';
  const request = {
    app_id: "2014072300007148",
    method: "alipay.trade.app.pay",
    format: "JSON",
    charset: "utf-8",
    sign_type: "RSA2",
    timestamp: "2026-11-20 20:00:00",
    version: "1.0",
    notify_url: "https://svc.example/notify/alipay",
    return_url: "https://svc.example/return/alipay",
    biz_content: bizContent,
  };
  const requestHash = "109c69e490e7e7a70606a5b9dc9dc80586d0db08b2fecfe4425a128868c2739c";

  it("in a request: all non-empty parameters, sorted, including sign_type", () => {
    expect(sha256(requestText(request))).toBe(requestHash);
    expect(sha256(requestText({ sign: "x", app_auth_token: "", ...request }))).toBe(requestHash);
    const { sign_type: _signType, ...unsigned } = request;
    expect(sha256(requestText(unsigned))).not.toBe(requestHash);
  });

  const form =
    "total_amount=2.00&buyer_id=2088102116773037&body=100%25+%E5%A4%A7%E4%B9%90%E9%80%8F%2B2.1" +
    "&trade_no=2016071921001003030200089909&refund_fee=0.00&notify_time=2016-07-19+14%3A10%3A49&subject=x" +
    "&charset=utf-8&notify_type=trade_status_sync&out_trade_no=0719141034-6418&trade_status=TRADE_SUCCESS" +
    "&version=1.0&app_id=2015102700040153&seller_id=2088102119685838&notify_id=4a91b7a78a503640467525113fb7d8bg8e";
  const notificationHash = "219aa072286dbe5ac213e454a3a19c1b293899b6debaccc0ee4a2c8295aef877";

  it("in a notification: the decoded form, without sign and sign_type", () => {
    const parameters = readForm(bytes(`${form}&sign=abc&sign_type=RSA2&passback_params=`)) ?? {};
    expect(parameters["body"]).toBe("100% 大乐透+2.1");
    expect(sha256(notificationText(parameters))).toBe(notificationHash);
  });
});

describe("the form", () => {
  it("is read as it was written", () => {
    const parameters = { subject: "100% & 会员=😀+1", body: "a b", empty: "" };
    expect(readForm(bytes(formText(parameters)))).toEqual(parameters);
  });

  it("is decoded once", () => {
    expect(readForm(bytes("subject=%2525"))).toEqual({ subject: "%25" });
  });

  it("accepts names of built-in object members", () => {
    expect(readForm(bytes("constructor=1&toString=2"))).toEqual({ constructor: "1", toString: "2" });
  });

  it("is rejected if it contains a parameter twice, also in another spelling, or if it is invalid", () => {
    for (const text of ["a=1&a=1", "a=1&%61=2", "", "a", "=1", "a=%zz", "a=%ff", "a=1&", "a=1&&b=2"]) {
      expect(readForm(bytes(text)), text).toBeUndefined();
    }
    expect(readForm(Uint8Array.of(0x61, 0x3d, 0xff))).toBeUndefined();
  });
});
