import { constants, type KeyObject, publicEncrypt } from "node:crypto";

/**
 * A key of WeChat Pay that encrypts sensitive fields, and the name the `Wechatpay-Serial` header
 * gives it.
 */
export interface FieldKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Returns the key that sensitive fields are encrypted with: the platform public key if there is
 * one, as WeChat Pay recommends, otherwise the certificate that was named last.
 */
export function fieldKey(platformKeys: ReadonlyMap<string, KeyObject>): FieldKey | undefined {
  const keys = Array.from(platformKeys, ([id, key]) => ({ id, key }));
  return keys.find(({ id }) => id.startsWith("PUB_KEY_ID_")) ?? keys.at(-1);
}

/** Encrypts a field as WeChat Pay reads it: RSAES-OAEP with SHA-1, in base64. */
export function encryptField({ key }: FieldKey, text: string): string {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return publicEncrypt({ key, padding, oaepHash: "sha1" }, Buffer.from(text, "utf8")).toString("base64");
}
