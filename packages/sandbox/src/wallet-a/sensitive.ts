import { constants, privateDecrypt } from "node:crypto";
import { publicKeyId, type SandboxKeys } from "../keys.js";
import { serialNo } from "../shared/certificate.js";

/**
 * Decrypts a field that a merchant encrypted for WeChat Pay (RSA-OAEP with SHA-1, base64).
 *
 * `serial` is the number in the header `Wechatpay-Serial`: of the wallet's certificate, or of its downloaded public key. `undefined`
 * if the wallet has no such key, or if another key encrypted the field.
 */
export function decrypted(
  { walletA: { wallet, downloaded } }: SandboxKeys,
  serial: string,
  sealed: string,
): string | undefined {
  const pairs = new Map([
    [serialNo(wallet.publicKey), wallet],
    [publicKeyId(downloaded.publicKey), downloaded],
  ]);
  const pair = pairs.get(serial);
  if (pair === undefined) return undefined;
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  try {
    const options = { key: pair.privateKey, padding, oaepHash: "sha1" };
    return privateDecrypt(options, Buffer.from(sealed, "base64")).toString("utf8");
  } catch {
    return undefined;
  }
}
