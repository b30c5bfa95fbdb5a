import { createHash } from "node:crypto";
import { signText, verifySignature } from "@tillkit/wallet-kit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Formatter, Rsa } from "wechatpay-axios-plugin";
import { merchant } from "../testing/keys.js";
import { payloadText, messageBytes, requestText } from "./signed-texts.js";

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");
const NONCE = "593BEC0C930BF1AFEB40B4A08C8FB242";
const ORDER =
  '{"appid":"wxd678efh567hg6787","mchid":"1900007291","description":"VIP 会员","out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","notify_url":"https://svc.example/notify/wechat","amount":{"total":100,"currency":"CNY"}}';

describe("the text that is signed", () => {
  it("of a request with a body has the documented lines", () => {
    const target = "/v3/pay/transactions/app";
    const text = requestText({ method: "POST", target, timestamp: 1_554_208_460, nonce: NONCE, body: ORDER });
    expect(Buffer.byteLength(text)).toBe(286);
    expect(sha256(text)).toBe("447c9167d256b9e5750466578e895ad1989678173594e935adf67a0f6144c0e9");
  });

  it("of a request without a body has an empty last line", () => {
    const target = "/v3/pay/transactions/out-trade-no/01JCXW9Z3K7Q2N5T8V0B4D6F1H?mchid=1900007291";
    const text = requestText({ method: "GET", target, timestamp: 1_554_208_460, nonce: NONCE, body: "" });
    expect(sha256(text)).toBe("d59558ecdbe9aa70b73109f8961b98c42c9baca611ffa12ec1e8a401c9c4ed3b");
  });

  it("of a response has the documented lines, with and without a body", () => {
    const body = Buffer.from('{"prepay_id":"wx26112221580621e9b071c00d9e093b0000"}');
    expect(sha256(messageBytes("1554209980", "c5ac7061fccab6bf3e254dcf98995b8c", body))).toBe(
      "8d39a5ba4849549546c69b4e8a65292e0f413bcd73c06ac1484e58dc0ee62065",
    );
    expect(sha256(messageBytes("1554209980", "n", new Uint8Array()))).toBe(
      "61d87488ce98b4a0b6e346686b7ffd2443d23ddeafbf7944becc9f6451327d88",
    );
  });

  it("of a message contains the unchanged bytes of the body, even if they are not text", () => {
    expect([...messageBytes("1", "n", Uint8Array.of(0xff, 0x0a))]).toEqual([
      0x31, 0x0a, 0x6e, 0x0a, 0xff, 0x0a, 0x0a,
    ]);
  });

  it("of a payment in an app has the documented lines", () => {
    const prepayId = "wx26112221580621e9b071c00d9e093b0000";
    const nonce = "5K8264ILTKCH16CQ2502SI8ZNMTM67VS";
    expect(sha256(payloadText("wxd678efh567hg6787", 1_414_561_699, nonce, prepayId))).toBe(
      "5e0ec48b7c5fdaee37347b9103376c6db02c8567ebab39c861597fee45bfc2ad",
    );
  });

  it("of a payment in a mini-program or the in-app browser has the documented lines", () => {
    const nonce = "5K8264ILTKCH16CQ2502SI8ZNMTM67VS";
    const opener = "prepay_id=wx201410272009395522657a690389285100";
    expect(payloadText("wx8888888888888888", 1_414_561_699, nonce, opener)).toBe(
      Formatter.joinedByLineFeed("wx8888888888888888", "1414561699", nonce, opener),
    );
  });

  it("equals, for all inputs, the text that a third party's SDK signs", () => {
    const text = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(text, fc.nat(), text, text, (target, timestamp, nonce, body) => {
        expect(requestText({ method: "POST", target, timestamp, nonce, body })).toBe(
          Formatter.request("POST", target, timestamp, nonce, body),
        );
        expect(Buffer.from(messageBytes(String(timestamp), nonce, Buffer.from(body))).toString()).toBe(
          Formatter.response(timestamp, nonce, body),
        );
      }),
    );
  });
});

describe("signatures", () => {
  it("equal those of the SDK for all texts, byte by byte", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => {
        const signature = await signText(text, merchant.privateKey);
        expect(signature).toBe(Rsa.sign(text, merchant.privateKey));
        expect(verifySignature(Buffer.from(text), signature, merchant.publicKey)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it("do not match after a byte of the text was changed", async () => {
    const text = requestText({ method: "GET", target: "/v3", timestamp: 1, nonce: NONCE, body: "" });
    const signature = await signText(text, merchant.privateKey);
    const bytes = Buffer.from(text);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (position, change) => {
        const other = Buffer.from(bytes);
        other[position] = bytes[position]! ^ change;
        expect(verifySignature(other, signature, merchant.publicKey)).toBe(false);
      }),
    );
    for (const other of [text.trimEnd(), text.replaceAll("\n", "\r\n"), `${text}\n`])
      expect(verifySignature(Buffer.from(other), signature, merchant.publicKey)).toBe(false);
  });

  it("that are not base64 or not an RSA signature do not match", () => {
    for (const signature of ["", "=", "会员", "AAAA", "A".repeat(344)])
      expect(verifySignature(Buffer.from("text"), signature, merchant.publicKey)).toBe(false);
  });
});
