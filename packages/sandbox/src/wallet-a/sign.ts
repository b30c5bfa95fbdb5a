import { createCipheriv } from "node:crypto";

/**
 * What WALLET_A has signed to open a payment: four lines, each ended by a line feed.
 *
 * The last line is the `prepayid` in an app, and the whole `package` in a mini-program or an in-app browser.
 */
export function payloadText(
  appid: string,
  timestamp: number | string,
  noncestr: string,
  prepayment: string,
): string {
  return `${appid}\n${timestamp}\n${noncestr}\n${prepayment}\n`;
}

/** What WALLET_A signs of an answer or a notification: time, nonce and the raw body, each ended by a line feed. */
export function messageBytes(timestamp: string, nonce: string, body: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from("\n")]);
}

const CIPHER = "aes-256-gcm";

/** Encrypts the resource of a notification (AES-256-GCM): base64, the 16-byte tag at its end. `key` is the 32 characters of the APIv3 key. */
export function seal(key: string, nonce: string, associatedData: string, text: string): string {
  const cipher = createCipheriv(CIPHER, Buffer.from(key), Buffer.from(nonce));
  cipher.setAAD(Buffer.from(associatedData));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString("base64");
}
