import { constants, createCipheriv, type KeyObject, publicEncrypt, randomBytes } from "node:crypto";
import type { SealedFile } from "../signing/decrypt-file.js";

/** Encrypts a file for a merchant as WeChat Pay does, with a nonce of 16 characters. */
export function sealFile(
  bytes: Uint8Array,
  publicKey: KeyObject,
): { readonly file: Buffer; readonly sealed: SealedFile } {
  const [key, nonce] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")];
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(key), Buffer.from(nonce));
  const file = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const sealedKey = publicEncrypt({ key: publicKey, padding, oaepHash: "sha1" }, Buffer.from(key));
  return { file, sealed: { encrypt_key: sealedKey.toString("base64"), nonce } };
}
