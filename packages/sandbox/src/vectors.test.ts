import { describe, expect, it } from "vitest";
import { sha256 } from "./shared/sha256.js";
import { requestBytes } from "./wechat-pay/authorize.js";
import { payloadText, messageBytes, seal } from "./wechat-pay/sign.js";
import { notificationText, readForm, requestText } from "./alipay/sign.js";

const AT = "1554208460";
const NONCE = "593BEC0C930BF1AFEB40B4A08C8FB242";
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");

describe("what WALLET_A signs, byte for byte", () => {
  it("for a request with a body", () => {
    const body = Buffer.from(
      '{"appid":"wxd678efh567hg6787","mchid":"1900007291","description":"VIP 会员","out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","notify_url":"https://svc.example/notify/wechat","amount":{"total":100,"currency":"CNY"}}',
    );
    const bytes = requestBytes({ method: "POST", target: "/v3/pay/transactions/app", body }, AT, NONCE);
    expect(bytes).toHaveLength(286);
    expect(sha256(text(bytes))).toBe("447c9167d256b9e5750466578e895ad1989678173594e935adf67a0f6144c0e9");
  });

  it("for a request without a body", () => {
    const target = "/v3/pay/transactions/out-trade-no/01JCXW9Z3K7Q2N5T8V0B4D6F1H?mchid=1900007291";
    const bytes = requestBytes({ method: "GET", target, body: Buffer.alloc(0) }, AT, NONCE);
    expect(sha256(text(bytes))).toBe("d59558ecdbe9aa70b73109f8961b98c42c9baca611ffa12ec1e8a401c9c4ed3b");
  });

  it("for a response, with and without a body", () => {
    const body = Buffer.from('{"prepay_id":"wx26112221580621e9b071c00d9e093b0000"}');
    expect(sha256(text(messageBytes("1554209980", "c5ac7061fccab6bf3e254dcf98995b8c", body)))).toBe(
      "8d39a5ba4849549546c69b4e8a65292e0f413bcd73c06ac1484e58dc0ee62065",
    );
    expect(sha256(text(messageBytes("1554209980", "n", Buffer.alloc(0))))).toBe(
      "61d87488ce98b4a0b6e346686b7ffd2443d23ddeafbf7944becc9f6451327d88",
    );
  });

  it("for a message whose bytes are not text", () => {
    expect([...messageBytes("1", "n", Uint8Array.of(0xff, 0x0a))]).toEqual([
      0x31, 0x0a, 0x6e, 0x0a, 0xff, 0x0a, 0x0a,
    ]);
  });

  it("for an app's payload", () => {
    const lines = payloadText(
      "wxd678efh567hg6787",
      1_414_561_699,
      "5K8264ILTKCH16CQ2502SI8ZNMTM67VS",
      "wx26112221580621e9b071c00d9e093b0000",
    );
    expect(sha256(lines)).toBe("5e0ec48b7c5fdaee37347b9103376c6db02c8567ebab39c861597fee45bfc2ad");
  });

  it("and how it encrypts a notification, with and without associated data", () => {
    const plain = '{"out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","trade_state":"SUCCESS"}';
    const sealed = (associated: string) =>
      seal("0123456789abcdef0123456789abcdef", "fdasflkja484", associated, plain);
    const same =
      "DUcclrHBE5NffFMk6pzEyhVqzCOTqbiZZgBgJUV3gO+MMiFLoJQdL+zTQ5CAnv1JC+Li1QtylUeu4JvQFvi4bbRBL4V3";
    expect(sealed("transaction")).toBe(`${same}wrOmDMJR0bYLN4/QGkn82w==`);
    expect(sealed("")).toBe(`${same}kbZYEdCI2ewL9q9Lb/fTJw==`);
  });
});

describe("what WALLET_B signs, byte for byte", () => {
  it("for a request, including sign_type", () => {
    const parameters = {
      app_id: "2014072300007148",
      method: "alipay.trade.app.pay",
      format: "JSON",
      charset: "utf-8",
      sign_type: "RSA2",
      sign: "anything",
      timestamp: "2026-11-20 20:00:00",
      version: "1.0",
      notify_url: "https://svc.example/notify/alipay",
      return_url: "https://svc.example/return/alipay",
      biz_content:
        '{"body":"VIP","out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","product_code":"QUICK_MSECURITY_PAY","subject":"VIP 会员","total_amount":"1.00","time_expire":"2026-11-20 20:30:00"}',
    };
    expect(sha256(requestText(parameters))).toBe(
      "109c69e490e7e7a70606a5b9dc9dc80586d0db08b2fecfe4425a128868c2739c",
    );
  });

  it("for a notification, decoded once, without sign_type", () => {
    const form = readForm(
      Buffer.from(
        "total_amount=2.00&buyer_id=2088102116773037&body=100%25+%E5%A4%A7%E4%B9%90%E9%80%8F%2B2.1&trade_no=2016071921001003030200089909&refund_fee=0.00&notify_time=2016-07-19+14%3A10%3A49&subject=x&charset=utf-8&notify_type=trade_status_sync&out_trade_no=0719141034-6418&trade_status=TRADE_SUCCESS&version=1.0&app_id=2015102700040153&seller_id=2088102119685838&notify_id=4a91b7a78a503640467525113fb7d8bg8e&sign_type=RSA2&sign=anything",
      ),
    );
    expect(sha256(notificationText(form ?? {}))).toBe(
      "219aa072286dbe5ac213e454a3a19c1b293899b6debaccc0ee4a2c8295aef877",
    );
  });
});
