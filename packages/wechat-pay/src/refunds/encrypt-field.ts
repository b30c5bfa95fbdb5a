import { constants, type KeyObject, publicEncrypt } from "node:crypto";
import type { DownloadedKey } from "@tillkit/wallet-kit";

/** A WeChat Pay key that encrypts sensitive fields, and its id in the `Wechatpay-Serial` header. */
export interface FieldKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Returns the key for the encryption of sensitive fields, or `undefined` if there is none.
 *
 * WeChat Pay recommends its platform public key. Without one, the function returns the downloaded
 * certificate that expires last. Before any download, it returns the last configured certificate.
 */
export function fieldKey(
  platformKeys: ReadonlyMap<string, KeyObject>,
  downloaded: readonly DownloadedKey[],
): FieldKey | undefined {
  const named = Array.from(platformKeys, ([id, key]) => ({ id, key }));
  const [newest] = [...downloaded].sort((left, right) => right.expiresAt - left.expiresAt);
  return (
    named.find(({ id }) => id.startsWith("PUB_KEY_ID_")) ??
    (newest === undefined ? named.at(-1) : { id: newest.name, key: newest.key })
  );
}

/** Encrypts a field with RSAES-OAEP and SHA-1, as base64. WeChat Pay requires this algorithm. */
export function encryptField({ key }: FieldKey, text: string): string {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return publicEncrypt({ key, padding, oaepHash: "sha1" }, Buffer.from(text, "utf8")).toString("base64");
}
