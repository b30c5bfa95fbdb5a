import { createCipheriv } from "node:crypto";

/**
 * Returns the text that a merchant signs to open a payment at WeChat Pay.
 *
 * It has four lines, each followed by a line feed. The last line is the `prepayid` in an app, and
 * the whole `package` in a mini-program or an in-app browser.
 */
export function payloadText(
  appid: string,
  timestamp: number | string,
  noncestr: string,
  prepayment: string,
): string {
  return `${appid}\n${timestamp}\n${noncestr}\n${prepayment}\n`;
}

/**
 * Returns the bytes that WeChat Pay signs in a response or a notification.
 *
 * These are the time, the nonce and the raw body, each followed by a line feed.
 */
export function messageBytes(timestamp: string, nonce: string, body: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from("\n")]);
}

const CIPHER = "aes-256-gcm";

/**
 * Encrypts the resource of a notification with AES-256-GCM. Returns base64 with the tag at its end.
 *
 * @param key - the 32 characters of the APIv3 key.
 */
export function seal(key: string, nonce: string, associatedData: string, text: string): string {
  const cipher = createCipheriv(CIPHER, Buffer.from(key), Buffer.from(nonce));
  cipher.setAAD(Buffer.from(associatedData));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString("base64");
}
