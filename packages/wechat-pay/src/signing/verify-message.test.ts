import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MODERN_ID, modern, NOW, platform, PLATFORM_SERIAL, stranger } from "../testing/keys.js";
import { signedHeaders } from "../testing/wechat-wire.js";
import { verifyMessage } from "./verify-message.js";

const stored = new Map([
  [PLATFORM_SERIAL, platform.publicKey],
  [MODERN_ID, modern.publicKey],
]);
const SKEW = 300_000;
const TEXT = '{"prepay_id":"wx1"}';
const byCertificate = { serial: PLATFORM_SERIAL, key: platform.privateKey, now: NOW };

function judged(
  lines: Readonly<Record<string, string | undefined>>,
  body: string | Uint8Array = TEXT,
  now = NOW,
) {
  const headers = { get: (name: string) => lines[name] ?? null };
  const result = verifyMessage(stored, headers, Buffer.from(body), { now, skew: SKEW });
  return result.isOk() ? "proven" : result.error;
}

describe("verifyMessage", () => {
  const headers = signedHeaders(TEXT, byCertificate);

  it("accepts a platform certificate's key and a PUB_KEY_ID key side by side", () => {
    expect(judged(headers)).toBe("proven");
    expect(judged(signedHeaders(TEXT, { serial: MODERN_ID, key: modern.privateKey, now: NOW }))).toBe(
      "proven",
    );
  });

  it("accepts an empty body", () => {
    expect(judged(signedHeaders("", byCertificate), "")).toBe("proven");
  });

  it("selects the key only by the serial number", () => {
    expect(judged({ ...headers, "wechatpay-serial": MODERN_ID })).toBe("forged");
    expect(judged({ ...headers, "wechatpay-serial": "7777777777" })).toBe("unknown-key");
    expect(judged(signedHeaders(TEXT, { ...byCertificate, key: stranger.privateKey }))).toBe("forged");
  });

  it("accepts a message up to 300 seconds before and after its signed time, and no longer", () => {
    // The signed time is NOW in whole seconds.
    const second = Math.floor(NOW / 1000) * 1000;
    for (const sign of [1, -1]) {
      expect(judged(headers, TEXT, second + sign * SKEW)).toBe("proven");
      expect(judged(headers, TEXT, second + sign * (SKEW + 1))).toBe("stale");
    }
  });

  it("reports an old forgery as forged", () => {
    const old = { ...byCertificate, key: stranger.privateKey, now: NOW - 2 * SKEW };
    expect(judged(signedHeaders(TEXT, old))).toBe("forged");
  });

  it("recognises a probe by its signature, whatever its other values", () => {
    const signature = `WECHATPAY/SIGNTEST/${String(headers["wechatpay-signature"])}`;
    expect(judged({ ...headers, "wechatpay-signature": signature })).toBe("probe");
    expect(judged({ "wechatpay-signature": signature })).toBe("probe");
  });

  it("requires every header, in its format", () => {
    expect(judged({ ...headers, "wechatpay-signature": undefined })).toBe("unsigned");
    expect(judged({})).toBe("unsigned");
    for (const name of ["timestamp", "nonce", "serial"])
      for (const value of [undefined, ""])
        expect(judged({ ...headers, [`wechatpay-${name}`]: value }), name).toBe("malformed");
    for (const timestamp of ["-1", "1e9", "0x10", " 1", "1.5", "9".repeat(13), "١", "1, 1"])
      expect(judged({ ...headers, "wechatpay-timestamp": timestamp })).toBe("malformed");
  });

  it("uses the default signature type if none is stated, and accepts no other", () => {
    const { "wechatpay-signature-type": _named, ...unnamed } = headers;
    expect(judged(unnamed)).toBe("proven");
    expect(judged({ ...headers, "wechatpay-signature-type": "WECHATPAY2-SM2-WITH-SM3" })).toBe("malformed");
  });

  it("accepts only the signed bytes", () => {
    const bytes = Buffer.from(TEXT);
    fc.assert(
      fc.property(fc.uint8Array(), (body) => {
        expect(judged(headers, body)).toBe(bytes.equals(body) ? "proven" : "forged");
      }),
    );
    for (const body of [`${TEXT} `, TEXT.slice(1), JSON.stringify(JSON.parse(TEXT), undefined, 1)])
      expect(judged(headers, body)).toBe("forged");
  });

  it("never throws for any headers", () => {
    const name = fc.constantFrom("signature", "serial", "timestamp", "nonce", "signature-type");
    const values = fc.dictionary(
      name.map((part) => `wechatpay-${part}`),
      fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(PLATFORM_SERIAL, "1", "AAAA")),
    );
    fc.assert(
      fc.property(values, (any) => {
        expect(judged(any)).not.toBe("proven");
      }),
    );
  });
});
