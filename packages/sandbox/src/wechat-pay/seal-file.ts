import { constants, createCipheriv, publicEncrypt, randomBytes } from "node:crypto";

/** How a file is encrypted, as the response about a bill names it. */
export interface FileSeal {
  readonly encrypt_key: string;
  readonly nonce: string;
}

/** A new key for one file. */
export interface FileSealer {
  readonly seal: FileSeal;
  /** Returns the encrypted bytes with the tag at their end. */
  readonly encrypt: (bytes: Uint8Array) => Uint8Array;
}

/**
 * Creates a key for a file: AES-256-GCM, with a nonce of 16 characters as in WeChat Pay's example.
 *
 * The key is 32 characters, encrypted for the merchant's certificate with RSAES-OAEP and SHA-1.
 *
 * @param merchantPublicKey - PEM.
 */
export function fileSealer(merchantPublicKey: string): FileSealer {
  const key = Buffer.from(randomBytes(16).toString("hex"));
  const nonce = randomBytes(8).toString("hex");
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const sealedKey = publicEncrypt({ key: merchantPublicKey, padding, oaepHash: "sha1" }, key);
  return {
    seal: { encrypt_key: sealedKey.toString("base64"), nonce },
    encrypt: (bytes) => {
      const cipher = createCipheriv("aes-256-gcm", key, Buffer.from(nonce));
      return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
  };
}
