import { type KeyObject, sign } from "node:crypto";

/**
 * Signs the UTF-8 bytes of `text` with RSA PKCS#1 v1.5 and SHA-256, as base64.
 *
 * Both wallets require this algorithm. The signature is computed on the thread pool, because it
 * would block the event loop for about a quarter of a millisecond.
 */
export function signText(text: string, key: KeyObject): Promise<string> {
  return new Promise((resolve, reject) => {
    sign("RSA-SHA256", Buffer.from(text, "utf8"), key, (error, signature) => {
      if (error === null) resolve(signature.toString("base64"));
      else reject(error);
    });
  });
}
