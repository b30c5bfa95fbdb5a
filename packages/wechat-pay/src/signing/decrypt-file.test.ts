import { constants, createPrivateKey, createPublicKey, publicEncrypt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fileDecrypter, WRONG_TAG } from "./decrypt-file.js";

// Made with the Python package `cryptography`: RSAES-OAEP with SHA-1, and AES-256-GCM.
const MERCHANT_KEY = createPrivateKey({
  key: Buffer.from(
    [
      "MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAMJcPzNfX2oi6HHgkOl78d5qNaFfg0ti",
      "/SRxOCdQQVdQK2ivpxXZVIfq5Oku16SUjThtPuWyffloU6K6j6WGkbpzGtQH4sDeOPWa7kwQxTydl9hC",
      "iQfMDQK7h4QamSU2mu/400izlp8E+EkXjdlxmT3+RwR8HjCWju1lq2hkOmUBAgMBAAECgYBOQTwFICpX",
      "npR+fU97YrcguRy8y6seaE3KJXfZhFu6nwHLVaXtiyKY0v+1z3Ftx44QoRPJAhPsno/GHl2F5Oe5OPZZ",
      "Hq/i6Gbn5YpoNMxA27O4tC+/iW9I6DjXUnkla8/UwvVFb9pSTkM9c10D9V2+qKgAy450wHeVmk7uLvYQ",
      "AQJBAPW0Gl7EINkTvZcP2sdsvYn8Os9y4NHTw0YXi/OY/xPpeJRoW9aU3h3QOGgULHL7wLDzuKiK9/D4",
      "mYv2pyYth8ECQQDKgVYZ2Btk+Kpdgpa+MuLUlGcXcH9jPyweRQYtkuYL0uIiBz7j7615caBpNfHamHG+",
      "TjVGMGfvEx7U1x+VTi1BAkBissRdCQAA81MXWYES1vWUdkPRjV4OK7incVIAupbMkt6jDwDFQ+utojTm",
      "aiQo1ERlUKH+4kQTAmn7tUsTpPqBAkAsEMrgotMLPMUtxf3xc3dClOx+AD/oI9YA3DpE7oNarVAB4ZvA",
      "0+Xm2F/0pQV08NlHdRNIq73iG0IJRKqdvb5BAkEAzXWvTtmsurTyebSpO7mf+Zp91Hb3RTJ//m18Ibsv",
      "swdr/PSBj/7qfcBcDGn7QLYgZSL0cz4BEisyk46a2biUHA==",
    ].join(""),
    "base64",
  ),
  format: "der",
  type: "pkcs8",
});
const encrypt_key = [
  "F5//dIIkztCNphVmq+y63xG5EaISwQJm6EeLytLwf6AKKpzE/S5tLk50/oGgrQSYiH9dO06hzgitzHgDMESZLREi",
  "hxR2BPKs4LgDLpbPrfAbSyR2O+nLVRRNTujsz3Yv3yqaAv98VaMKoLWLyFGj5ihuCJdOakE6Iw1Wz8cexLc=",
].join("");
const TEXT = "记账时间,微信支付业务单号\r\n`2026-11-19 10:00:00,`4200000001";
const FILES = [
  {
    nonce: "a8607ef79034c49c",
    file: [
      "a9bf25be5ad96a5d22c1cc835ed1bc33308a8afea26a3480f4c0d1a3a706ba4ff2325409b2346f84d1660085",
      "fb533a5995188f4084e1242ee909c62b0d808daf8b367f0e5e75c657b7c966bb3820ff5de8276b0663772c",
    ].join(""),
  },
  {
    nonce: "5c1a0b7e93f2",
    file: [
      "3a809c89ec7111c6d1f6b9fe84ade8e9faf8f47030d2cf228d50b5dd4567bf840a9a7a8ee1e9707586c90e21",
      "5503922e113102d665a1d760203545db345858cdcd0800d84c0b5b814c98d44a304a7b349906bc7cc388dd",
    ].join(""),
  },
] as const;

/** Returns the bytes of a file in pieces of `length`. */
async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
}

async function decrypted(bytes: Uint8Array, nonce: string, length = bytes.length): Promise<string> {
  const decrypt = fileDecrypter(MERCHANT_KEY, { encrypt_key, nonce });
  const pieces: Uint8Array[] = [];
  for await (const piece of decrypt?.(inPieces(bytes, length)) ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

describe.each(FILES)("an encrypted file with the nonce $nonce", ({ nonce, file }) => {
  const bytes = Buffer.from(file, "hex");

  it("is decrypted, whatever the pieces in which it arrives", async () => {
    for (const length of [1, 15, 16, 17, bytes.length])
      expect(await decrypted(bytes, nonce, length)).toBe(TEXT);
  });

  it("is refused if one of its bytes was changed or is missing", async () => {
    const error = { code: WRONG_TAG };
    for (const at of [0, bytes.length - 17, bytes.length - 16, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(decrypted(changed, nonce)).rejects.toMatchObject(error);
    }
    for (const length of [0, 3, 16, bytes.length - 1])
      await expect(decrypted(bytes.subarray(0, length), nonce)).rejects.toMatchObject(error);
    await expect(decrypted(bytes, `${nonce.slice(1)}0`)).rejects.toMatchObject(error);
  });
});

it("fileDecrypter returns undefined for a key for another merchant, or of another length", () => {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const keyOf = (bytes: number) =>
    publicEncrypt(
      { key: createPublicKey(MERCHANT_KEY), padding, oaepHash: "sha1" },
      Buffer.alloc(bytes, 1),
    ).toString("base64");
  const nonce = "a8607ef79034c49c";
  expect(fileDecrypter(MERCHANT_KEY, { encrypt_key: keyOf(32), nonce })).toBeDefined();
  for (const wrong of ["", "AAAA", keyOf(16), keyOf(31), `A${encrypt_key.slice(1)}`])
    expect(fileDecrypter(MERCHANT_KEY, { encrypt_key: wrong, nonce })).toBeUndefined();
});
