import { constants, createDecipheriv, type KeyObject, privateDecrypt } from "node:crypto";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const TAG_BYTES = 16;

/** How WeChat Pay has encrypted a file for the merchant. */
export interface SealedFile {
  /** The key of the file, encrypted for the merchant's certificate with RSAES-OAEP, as base64. */
  readonly encrypt_key: string;
  /** May have any length. Documented nonces have 16 characters. */
  readonly nonce: string;
}

/** Decrypts the bytes of a file as they arrive. Throws at the end if the tag is wrong. */
export type DecryptFile = (file: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;

/** The code of the error that ends the bytes of a file whose tag is wrong. */
export const WRONG_TAG = "ERR_FILE_WRONG_TAG";

/**
 * Creates the function that decrypts a file with AES-256-GCM.
 *
 * The last 16 bytes of the file are the tag, so the bytes are verified only when the file ends.
 *
 * @returns `undefined` if the key of the file was not encrypted for `merchantKey`.
 */
export function fileDecrypter(
  merchantKey: KeyObject,
  { encrypt_key, nonce }: SealedFile,
): DecryptFile | undefined {
  const key = openedKey(merchantKey, encrypt_key);
  if (key?.length !== KEY_BYTES) return undefined;
  return async function* (file) {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(nonce), { authTagLength: TAG_BYTES });
    let held = Buffer.alloc(0);
    for await (const chunk of file) {
      const bytes = Buffer.concat([held, chunk]);
      const tagAt = Math.max(0, bytes.length - TAG_BYTES);
      held = bytes.subarray(tagAt);
      if (tagAt > 0) yield decipher.update(bytes.subarray(0, tagAt));
    }
    try {
      decipher.setAuthTag(held);
      decipher.final();
    } catch {
      throw Object.assign(new Error(WRONG_TAG), { code: WRONG_TAG });
    }
  };
}

function openedKey(merchantKey: KeyObject, sealed: string): Buffer | undefined {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  try {
    return privateDecrypt({ key: merchantKey, padding, oaepHash: "sha1" }, Buffer.from(sealed, "base64"));
  } catch {
    return undefined;
  }
}
