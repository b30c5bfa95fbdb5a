import { createSecretKey } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Aes } from "wechatpay-axios-plugin";
import { decryptResource } from "./decrypt-resource.js";

const KEY = "0123456789abcdef0123456789abcdef";
const apiV3Key = createSecretKey(Buffer.from(KEY));
const nonce = "fdasflkja484";
const plain = '{"out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","trade_state":"SUCCESS"}';
const shared = "DUcclrHBE5NffFMk6pzEyhVqzCOTqbiZZgBgJUV3gO+MMiFLoJQdL+zTQ5CAnv1JC+Li1QtylUeu4JvQFvi4bbRBL4V3";
const good = { ciphertext: `${shared}wrOmDMJR0bYLN4/QGkn82w==`, nonce, associated_data: "transaction" };

describe("decryptResource", () => {
  it("reads what was encrypted, with associated data and without", () => {
    expect(decryptResource(apiV3Key, good)).toBe(plain);
    const bare = { ciphertext: `${shared}kbZYEdCI2ewL9q9Lb/fTJw==`, nonce, associated_data: "" };
    expect(decryptResource(apiV3Key, bare)).toBe(plain);
  });

  it("reads, for all texts, what the SDK of a third party encrypts", () => {
    const text = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(text, fc.string({ maxLength: 15 }), (reported, data) => {
        const ciphertext = Aes.AesGcm.encrypt(reported, KEY, nonce, data);
        expect(decryptResource(apiV3Key, { ciphertext, nonce, associated_data: data })).toBe(reported);
      }),
    );
  });

  it("accepts nothing in which a byte was changed, the tag included", () => {
    const bytes = Buffer.from(good.ciphertext, "base64");
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (position, change) => {
        const other = Buffer.from(bytes);
        other[position] = bytes[position]! ^ change;
        expect(decryptResource(apiV3Key, { ...good, ciphertext: other.toString("base64") })).toBeUndefined();
      }),
    );
  });

  it("accepts nothing with another nonce, associated data or key, nor what is too short", () => {
    const other = createSecretKey(Buffer.from(`${KEY.slice(1)}0`));
    expect(decryptResource(other, good)).toBeUndefined();
    expect(decryptResource(apiV3Key, { ...good, associated_data: "refund" })).toBeUndefined();
    for (const wrong of ["fdasflkja485", "", "fdasflkja4841", "会员"])
      expect(decryptResource(apiV3Key, { ...good, nonce: wrong })).toBeUndefined();
    const bytes = Buffer.from(good.ciphertext, "base64");
    for (const length of [0, 1, 15, 16, bytes.length - 1]) {
      const ciphertext = bytes.subarray(0, length).toString("base64");
      expect(decryptResource(apiV3Key, { ...good, ciphertext })).toBeUndefined();
    }
  });
});
