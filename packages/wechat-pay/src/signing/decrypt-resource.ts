import { createDecipheriv, type KeyObject } from "node:crypto";
import * as z from "zod";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Reads `associated_data`. WeChat Pay sends an empty text, `null` or nothing if there is none. */
export const associatedData = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

/** The encrypted resource of a notification. */
export interface SealedResource {
  /** Base64. The last 16 bytes are the authentication tag. */
  readonly ciphertext: string;
  /** 12 bytes. */
  readonly nonce: string;
  /** May be empty. */
  readonly associated_data: string;
}

/**
 * Decrypts the resource of a notification with AES-256-GCM and the APIv3 key.
 *
 * @returns `undefined` if the authentication tag is wrong, or if the nonce or the ciphertext has an
 *   invalid length.
 */
export function decryptResource(
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
    // `final` throws if the tag is wrong, so unverified text is never returned.
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
