import { constants, type KeyObject, publicEncrypt } from "node:crypto";
import type { LearnedKey } from "@tillkit/wallet-kit";

/**
 * A key of WeChat Pay that encrypts sensitive fields, and the name the `Wechatpay-Serial` header
 * gives it.
 */
export interface FieldKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Returns the key that sensitive fields are encrypted with.
 *
 * WeChat Pay recommends its platform public key. Without one it is the downloaded certificate that
 * expires last, and before any download the certificate that an operator named last.
 */
export function fieldKey(
  platformKeys: ReadonlyMap<string, KeyObject>,
  downloaded: readonly LearnedKey[],
): FieldKey | undefined {
  const named = Array.from(platformKeys, ([id, key]) => ({ id, key }));
  const [newest] = [...downloaded].sort((left, right) => right.expiresAt - left.expiresAt);
  return (
    named.find(({ id }) => id.startsWith("PUB_KEY_ID_")) ??
    (newest === undefined ? named.at(-1) : { id: newest.name, key: newest.key })
  );
}

/** Encrypts a field as WeChat Pay reads it: RSAES-OAEP with SHA-1, in base64. */
export function encryptField({ key }: FieldKey, text: string): string {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return publicEncrypt({ key, padding, oaepHash: "sha1" }, Buffer.from(text, "utf8")).toString("base64");
}
