import { createCipheriv, createDecipheriv } from "node:crypto";

/** What WALLET_A has signed to open a payment in an app: four lines, each ended by a line feed. */
export function appPayloadText(appid: string, timestamp: number, noncestr: string, prepayid: string): string {
  return `${appid}\n${timestamp}\n${noncestr}\n${prepayid}\n`;
}

/** What WALLET_A signs of an answer or a notification: time, nonce and the raw body, each ended by a line feed. */
export function messageBytes(timestamp: string, nonce: string, body: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from("\n")]);
}

const CIPHER = "aes-256-gcm";
const TAG_BYTES = 16;

/** An encrypted resource of a notification. */
export interface SealedResource {
  /** Base64; the 16-byte tag is at its end. */
  readonly ciphertext: string;
  /** 12 characters. */
  readonly nonce: string;
  readonly associated_data: string;
}

/** Encrypts the resource of a notification (AES-256-GCM). `key` is the 32 characters of the merchant's APIv3 key. */
export function seal(key: string, nonce: string, associatedData: string, text: string): string {
  const cipher = createCipheriv(CIPHER, Buffer.from(key), Buffer.from(nonce));
  cipher.setAAD(Buffer.from(associatedData));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString("base64");
}

/** Decrypts and proves the resource of a notification; `undefined` when its tag does not prove it. */
export function unseal(key: string, resource: SealedResource): string | undefined {
  const sealed = Buffer.from(resource.ciphertext, "base64");
  if (sealed.length < TAG_BYTES) return undefined;
  const tag = sealed.subarray(sealed.length - TAG_BYTES);
  try {
    const nonce = Buffer.from(resource.nonce);
    const decipher = createDecipheriv(CIPHER, Buffer.from(key), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(resource.associated_data));
    decipher.setAuthTag(tag);
    const text = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
