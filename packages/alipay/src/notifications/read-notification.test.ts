import { createSign } from "node:crypto";
import { orThrow, type RawNotification } from "@tillkit/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAlipayCredentials } from "../credentials/parse-credentials.js";
import { evidenceDigest } from "../evidence-digest.js";
import { readNotification } from "./read-notification.js";
import {
  ALIPAY_CERTIFICATE,
  ALIPAY_PRIVATE_KEY,
  APP_CERTIFICATE,
  APP_PRIVATE_KEY,
  NEXT_ALIPAY_CERTIFICATE,
  NEXT_ALIPAY_PRIVATE_KEY,
  ROOTS,
  SNS,
} from "../testing/certificates.js";
import { testPairs } from "../testing/keys.js";
import { notificationBody, signature, signedText } from "../testing/wire.js";

type Facts = Readonly<Record<string, string>>;

const [app, wallet, next] = testPairs;
const credentialsOf = (texts: Facts) => orThrow(parseAlipayCredentials(texts));
const credentials = credentialsOf({
  appPrivateKey: app.pkcs8,
  alipayPublicKey: `${wallet.spki},${next.spki}`,
});
const facts = {
  notify_time: "2026-11-20 20:30:06",
  notify_id: "n-1",
  app_id: "2014",
  seller_id: "2088",
  out_trade_no: "O-1",
  trade_no: "2026",
  trade_status: "TRADE_SUCCESS",
  subject: "100% 会员 😀+1",
  total_amount: "6.00",
  gmt_payment: "2026-11-20 20:30:05",
  sign_type: "RSA2",
};

const message = (body: string | Uint8Array): RawNotification => ({
  headers: new Headers(),
  body: typeof body === "string" ? new TextEncoder().encode(body) : body,
});
const read = (body: string | Uint8Array) => readNotification(credentials, message(body));
const signed = (changes: Facts = {}) => notificationBody({ ...facts, ...changes }, wallet.privatePem);
const refusal = (body: string | Uint8Array) => read(body)._unsafeUnwrapErr().reason;

function order(body: string) {
  const event = orThrow(read(body));
  if (event.kind !== "payment") throw new Error("WALLET_B speaks of payments only");
  return event.order;
}

/** Creates a notification whose signature covers another text. */
function signedOver(form: Facts, text: string): string {
  return new URLSearchParams({ ...form, sign: signature(text, wallet.privatePem) }).toString();
}

describe("readNotification", () => {
  it("returns the order in cents and epoch milliseconds", () => {
    expect(order(signed())).toMatchObject({
      state: "PAID",
      outTradeNo: "O-1",
      walletAppId: "2014",
      merchantId: "2088",
      amount: 600,
      currency: "CNY",
      walletTradeNo: "2026",
      paidAt: Date.UTC(2026, 10, 20, 12, 30, 5),
    });
  });

  it("accepts both keys of the wallet during a rotation, and no other", () => {
    expect(read(notificationBody(facts, next.privatePem)).isOk()).toBe(true);
    expect(refusal(notificationBody(facts, app.privatePem))).toBe("unverified");
  });

  it("accepts a notification with and without signed empty parameters", () => {
    const sparse = { ...facts, passback_params: "" };
    const withEmpty = signedText(new Map(Object.entries(facts)), ["sign_type"]);
    expect(read(signed({ passback_params: "" })).isOk()).toBe(true);
    const text = withEmpty.replace("&seller_id", "&passback_params=&seller_id");
    expect(read(signedOver(sparse, text)).isOk()).toBe(true);
  });

  it("does not verify a SHA-1 signature, for any sign_type", () => {
    const text = signedText(new Map(Object.entries(facts)), ["sign", "sign_type"]);
    const sign = createSign("RSA-SHA1").update(text).sign(wallet.privatePem, "base64");
    for (const sign_type of ["RSA", "RSA2"])
      expect(refusal(new URLSearchParams({ ...facts, sign_type, sign }).toString())).toBe("unverified");
  });

  it("does not verify a signature in the format of a request, with sign_type", () => {
    expect(refusal(signedOver(facts, signedText(new Map(Object.entries(facts)), [])))).toBe("unverified");
  });

  it("verifies with SHA-256 for any sign_type", () => {
    for (const sign_type of ["RSA", "MD5", "none"]) expect(read(signed({ sign_type })).isOk()).toBe(true);
  });

  it("rejects a repeated parameter, even with equal values", () => {
    for (const more of ["total_amount=6.00", "total%5Famount=6.00", "sign=x"])
      expect(refusal(`${signed()}&${more}`)).toBe("malformed");
  });

  it("rejects an unsigned message, and signed nonsense", () => {
    expect(refusal(new URLSearchParams(facts).toString())).toBe("malformed");
    const odd = [
      { total_amount: "six" },
      { total_amount: "6.001" },
      { trade_status: "PAID" },
      { seller_id: "" },
      { app_id: "" },
    ];
    for (const changes of odd) expect(refusal(signed(changes)), JSON.stringify(changes)).toBe("malformed");
  });

  it("distinguishes closed from refunded trades, which have the same status", () => {
    const unpaid = { trade_status: "TRADE_CLOSED", gmt_payment: "" };
    expect(order(signed(unpaid)).state).toBe("CLOSED");
    expect(order(signed({ ...unpaid, refund_fee: "0.00" })).state).toBe("CLOSED");
    expect(order(signed({ ...unpaid, refund_fee: "6.00" })).state).toBe("REFUNDED");
    expect(order(signed({ ...unpaid, gmt_refund: "2026-11-20 20:40:05.319" })).state).toBe("REFUNDED");
    expect(order(signed({ trade_status: "TRADE_CLOSED" })).state).toBe("REFUNDED");
    expect(order(signed({ trade_status: "TRADE_SUCCESS", refund_fee: "1.00" })).state).toBe("PAID");
    expect(order(signed({ trade_status: "TRADE_FINISHED" })).state).toBe("PAID");
    expect(order(signed({ trade_status: "WAIT_BUYER_PAY" })).state).toBe("OPEN");
  });

  it("returns the number of the refund that a notification is about, and no other business number", () => {
    const number = "5030";
    expect(order(signed({ out_biz_no: number, refund_fee: "1.00" })).refundNo).toBe(number);
    expect(order(signed({ out_biz_no: number, refund_fee: "0.00" })).refundNo).toBeUndefined();
    expect(order(signed({ out_biz_no: "", refund_fee: "1.00" })).refundNo).toBeUndefined();
    expect(order(signed()).refundNo).toBeUndefined();
  });

  it("returns equal evidence for a repeated notification, which differs only in time and signature", () => {
    expect(order(signed({ notify_time: "2026-11-20 20:40:00" })).evidence).toBe(order(signed()).evidence);
    expect(order(signed({ total_amount: "7.00" })).evidence).not.toBe(order(signed()).evidence);
  });

  it("returns equal evidence, whatever unsigned parts a notification has", () => {
    const genuine = order(signed());
    const variants = [
      `${signed()}&note=`,
      `${signed()}&gmt_refund=&refund_fee=`,
      `${signed()}&alipay_cert_sn=0123`,
      `${signed()}&alipay_cert_sn=4567&note=&sign%20=`,
      ...["RSA", "MD5", ""].map((sign_type) => signed({ sign_type })),
      signed().replace("&sign_type=RSA2", ""),
    ];
    for (const body of variants) expect(order(body), body).toEqual(genuine);
  });

  it("returns equal evidence if parameters are split and joined without a change of the signed text", () => {
    const form = { ...facts, buyer_id: "2089", body: "a", notify_type: "sync&more=1" };
    const { sign_type: _unsigned, ...rest } = form;
    const text = signedText(new Map(Object.entries(rest)), []);
    const { buyer_id, body, notify_id, notify_time, ...others } = rest;
    const variants = [
      { ...rest },
      { ...others, body: `${body}&buyer_id=${buyer_id}`, notify_id, notify_time },
      { ...others, body, buyer_id, notify_id: `${notify_id}&notify_time=${notify_time}` },
    ];
    const read = variants.map((one) => order(signedOver(one, text)));
    expect(read).toEqual(read.map(() => read[0]));
  });

  it("rejects a signed text with an ambiguous fact", () => {
    // A customer can choose the subject, and could thereby report a closed order as paid.
    const subject = "x&total_amount=6.00&trade_status=TRADE_SUCCESS&zz=";
    const closed = { ...facts, subject, trade_status: "TRADE_CLOSED", gmt_payment: "" };
    const { sign_type: _unsigned, ...rest } = closed;
    const text = signedText(new Map(Object.entries(rest)), []);
    const tail = text.slice(text.indexOf("zz=") + "zz=".length);
    const { trade_no: _swallowed, ...others } = rest;
    const forged = { ...others, subject: "x", total_amount: "6.00", trade_status: "TRADE_SUCCESS", zz: tail };
    expect(refusal(signedOver(forged, text))).toBe("malformed");
    expect(refusal(signedOver(closed, text))).toBe("malformed");
    // In other fields, the customer may choose a text like this.
    expect(order(signed({ subject: "a&b=c&status=PAID" }))).toMatchObject({ state: "PAID" });
  });

  it("reads a fact that was joined to its neighbour, so that a refunded order is not read as unpaid", () => {
    const { sign_type: _unsigned, gmt_payment, ...rest } = facts;
    const kept = { ...rest, trade_status: "TRADE_CLOSED", fund_bill_list: "[]" };
    const text = signedText(new Map(Object.entries({ ...kept, gmt_payment })), []);
    const joined = { ...kept, fund_bill_list: `[]&gmt_payment=${gmt_payment}` };
    for (const form of [joined, { ...joined, gmt_payment: "" }]) {
      expect(order(signedOver(form, text))).toMatchObject({ state: "REFUNDED" });
    }
  });

  it.each([
    ["GBK", "会员卡", [0xbb, 0xe1, 0xd4, 0xb1, 0xbf, 0xa8]],
    ["gb2312", "会员卡", [0xbb, 0xe1, 0xd4, 0xb1, 0xbf, 0xa8]],
    ["GB18030", "誠㐀", [0xd5, 0x5c, 0x81, 0x39, 0xee, 0x39]],
    ["utf-8", "会员卡", [...Buffer.from("会员卡")]],
  ])("verifies the bytes of a text in %s, and decodes it", (charset, subject, bytes) => {
    const latin = Buffer.from(bytes).toString("latin1");
    const form = { ...facts, charset, subject: latin };
    const text = signedText(new Map(Object.entries(form)), ["sign", "sign_type"]);
    const sign = signature(Buffer.from(text, "latin1"), wallet.privatePem);
    const escaped = (value: string) => Buffer.from(value, "latin1").toString("hex").replace(/../g, "%$&");
    const body = Object.entries({ ...form, sign })
      .map(([name, value]) => `${name}=${escaped(value)}`)
      .join("&");
    expect(order(body)).toMatchObject({ state: "PAID", amount: 600, outTradeNo: "O-1" });
    const { notify_time: _time, sign_type: _type, ...lasting } = { ...facts, charset, subject };
    const members = Object.entries(lasting).sort(([left], [right]) => (left < right ? -1 : 1));
    expect(order(body).evidence).toBe(evidenceDigest({ signed: JSON.stringify(members) }));
    const raw = Buffer.from(body.replace(escaped(latin), latin), "latin1");
    expect(orThrow(read(raw))).toEqual({ kind: "payment", order: order(body) });
    expect(refusal(body.replace(escaped(latin), escaped(`${latin}x`)))).toBe("unverified");
  });

  it("returns another currency if the notification states one", () => {
    expect(order(signed({ trans_currency: "USD" })).currency).toBe("USD");
    expect(order(signed({ trans_currency: "" })).currency).toBe("CNY");
  });

  it("returns a result for any bytes, and never accepts changed facts", () => {
    const near = fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 8 })).map(([at, noise]) => {
      const body = new TextEncoder().encode(signed());
      body.set(noise, at % (body.length - noise.length));
      return body;
    });
    const genuine = order(signed());
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), near), (body) => {
        const result = read(body);
        if (result.isOk()) expect(result.value).toEqual({ kind: "payment", order: genuine });
        else expect(["malformed", "unverified"]).toContain(result.error.reason);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a notification that names a certificate", () => {
  const byCertificate = credentialsOf({
    appPrivateKey: APP_PRIVATE_KEY,
    appCertificate: APP_CERTIFICATE,
    alipayCertificate: ALIPAY_CERTIFICATE + NEXT_ALIPAY_CERTIFICATE,
    alipayRootCertificate: ROOTS,
  });
  const outcome = (alipay_cert_sn: string, key: string) =>
    readNotification(byCertificate, message(notificationBody({ ...facts, alipay_cert_sn }, key))).match(
      () => "trusted",
      ({ reason }) => reason,
    );

  it("is verified only with that certificate", () => {
    expect(outcome(SNS.alipay, ALIPAY_PRIVATE_KEY)).toBe("trusted");
    expect(outcome(SNS.nextAlipay, NEXT_ALIPAY_PRIVATE_KEY)).toBe("trusted");
    expect(outcome(SNS.nextAlipay, ALIPAY_PRIVATE_KEY)).toBe("unverified");
    expect(outcome("unknown", ALIPAY_PRIVATE_KEY)).toBe("unverified");
    expect(outcome("", ALIPAY_PRIVATE_KEY)).toBe("trusted");
  });

  it("is accepted also if the signed text omits the certificate's number", () => {
    const sign = signature(signedText(new Map(Object.entries(facts)), ["sign_type"]), ALIPAY_PRIVATE_KEY);
    const body = new URLSearchParams({ ...facts, alipay_cert_sn: SNS.alipay, sign }).toString();
    expect(readNotification(byCertificate, message(body)).isOk()).toBe(true);
  });
});
