import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canSign, signText, verifySignature } from "./signature.js";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const bytes = Buffer.from("会员 amount=600", "utf8");

describe("verifySignature", () => {
  it("accepts what signText returns", async () => {
    const signature = await signText("会员 amount=600", privateKey);
    expect(verifySignature(bytes, signature, publicKey)).toBe(true);
  });

  it("rejects other bytes, another key and another hash algorithm", async () => {
    const signature = await signText("会员 amount=600", privateKey);
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
    expect(verifySignature(Buffer.from("会员 amount=601"), signature, publicKey)).toBe(false);
    expect(verifySignature(bytes, signature, other.publicKey)).toBe(false);
    const weak = sign("RSA-SHA1", bytes, privateKey).toString("base64");
    expect(verifySignature(bytes, weak, publicKey)).toBe(false);
  });

  it("rejects base64 that is not canonical", async () => {
    const signature = await signText("会员 amount=600", privateKey);
    for (const changed of [`${signature}\n`, signature.replace(/=+$/, ""), ` ${signature}`, ""])
      expect(verifySignature(bytes, changed, publicKey)).toBe(false);
  });
});

describe("canSign", () => {
  it("accepts an RSA key", async () => {
    expect(await canSign(privateKey)).toBe(true);
  });
});
