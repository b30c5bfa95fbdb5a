import { createDecipheriv, type KeyObject } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The encrypted part of a notification. */
export interface SealedResource {
  /** Base64; the 16-byte tag is at its end. */
  readonly ciphertext: string;
  /** 12 bytes. */
  readonly nonce: string;
  /** May be empty. */
  readonly associated_data: string;
}

/** Decrypts and proves the resource of a notification (AES-256-GCM under the APIv3 key); `undefined` when its tag does not prove it. */
export function openResource(
  apiV3Key: KeyObject,
  { ciphertext, nonce, associated_data: associatedData }: SealedResource,
): string | undefined {
  const sealed = Buffer.from(ciphertext, "base64");
  const iv = Buffer.from(nonce);
  if (sealed.length < TAG_BYTES || iv.length !== NONCE_BYTES) return undefined;
  const tagAt = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, apiV3Key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(associatedData));
  decipher.setAuthTag(sealed.subarray(tagAt));
  const text = decipher.update(sealed.subarray(0, tagAt));
  try {
    // Nothing of the text is used before the tag has proved it: `final` throws when it does not.
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
