import { constants, privateDecrypt } from "node:crypto";
import { publicKeyId, type SandboxKeys } from "../keys.js";
import type { Rotation } from "../rotation/rotation.js";

/**
 * The keys that decrypt for WeChat Pay: those of its listed certificates, and its downloaded key.
 */
export interface Decryption {
  readonly keys: SandboxKeys;
  readonly rotation: Pick<Rotation, "listedA">;
}

/**
 * Decrypts a field that a merchant encrypted for WeChat Pay (RSA-OAEP with SHA-1, base64).
 *
 * @param serial - the number in the header `Wechatpay-Serial`: of a listed certificate, or of the
 *   downloaded public key.
 * @returns `undefined` if the wallet has no such key, or if the field was encrypted with another
 *   key.
 */
export function decrypted(
  { keys, rotation }: Decryption,
  serial: string,
  sealed: string,
): string | undefined {
  const { downloaded } = keys.walletA;
  const pairs = new Map(rotation.listedA().map((listed) => [listed.name, listed.keys]));
  pairs.set(publicKeyId(downloaded.publicKey), downloaded);
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
