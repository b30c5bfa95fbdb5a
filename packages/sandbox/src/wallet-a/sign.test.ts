import { describe, expect, it } from "vitest";
import { sha256 } from "../shared/sha256.js";
import { appPayloadText, messageBytes, seal, unseal } from "./sign.js";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("what WALLET_A signs", () => {
  it("of an app payload", () => {
    const prepayId = "wx26112221580621e9b071c00d9e093b0000";
    const signed = appPayloadText(
      "wxd678efh567hg6787",
      1_414_561_699,
      "5K8264ILTKCH16CQ2502SI8ZNMTM67VS",
      prepayId,
    );
    expect(sha256(signed)).toBe("5e0ec48b7c5fdaee37347b9103376c6db02c8567ebab39c861597fee45bfc2ad");
  });

  it("of a message", () => {
    const body = Buffer.from('{"prepay_id":"wx26112221580621e9b071c00d9e093b0000"}');
    const signed = messageBytes("1554209980", "c5ac7061fccab6bf3e254dcf98995b8c", body);
    expect(sha256(text(signed))).toBe("8d39a5ba4849549546c69b4e8a65292e0f413bcd73c06ac1484e58dc0ee62065");
  });

  it("of a message without a body", () => {
    const signed = messageBytes("1554209980", "n", new Uint8Array());
    expect(sha256(text(signed))).toBe("61d87488ce98b4a0b6e346686b7ffd2443d23ddeafbf7944becc9f6451327d88");
  });

  it("of a message whose bytes are no text, byte by byte", () => {
    expect([...messageBytes("1", "n", Uint8Array.of(0xff, 0x0a))]).toEqual([
      0x31, 0x0a, 0x6e, 0x0a, 0xff, 0x0a, 0x0a,
    ]);
  });
});

describe("the encrypted resource", () => {
  const key = "0123456789abcdef0123456789abcdef";
  const nonce = "fdasflkja484";
  const plain = '{"out_trade_no":"01JCXW9Z3K7Q2N5T8V0B4D6F1H","trade_state":"SUCCESS"}';
  const shared =
    "DUcclrHBE5NffFMk6pzEyhVqzCOTqbiZZgBgJUV3gO+MMiFLoJQdL+zTQ5CAnv1JC+Li1QtylUeu4JvQFvi4bbRBL4V3";
  const sealed = {
    transaction: `${shared}wrOmDMJR0bYLN4/QGkn82w==`,
    "": `${shared}kbZYEdCI2ewL9q9Lb/fTJw==`,
  };

  for (const associated_data of ["transaction", ""] as const) {
    it(`is AES-256-GCM with the tag at its end, associated data "${associated_data}"`, () => {
      const ciphertext = sealed[associated_data];
      expect(seal(key, nonce, associated_data, plain)).toBe(ciphertext);
      expect(unseal(key, { ciphertext, nonce, associated_data })).toBe(plain);
    });
  }

  it("is not believed with another tag, text, nonce, associated data or key, or when it is too short", () => {
    const good = { ciphertext: sealed.transaction, nonce, associated_data: "transaction" };
    const flip = (position: number) => {
      const bytes = Buffer.from(good.ciphertext, "base64");
      bytes[position] = bytes[position]! ^ 1;
      return bytes.toString("base64");
    };
    const length = Buffer.from(good.ciphertext, "base64").length;
    for (const ciphertext of [flip(0), flip(length - 1), flip(length - 16), "", "AAAA"]) {
      expect(unseal(key, { ...good, ciphertext })).toBeUndefined();
    }
    expect(unseal(key, { ...good, nonce: "fdasflkja485" })).toBeUndefined();
    expect(unseal(key, { ...good, nonce: "" })).toBeUndefined();
    expect(unseal(key, { ...good, associated_data: "refund" })).toBeUndefined();
    expect(unseal(`${key.slice(1)}0`, good)).toBeUndefined();
    expect(unseal("short", good)).toBeUndefined();
  });
});
