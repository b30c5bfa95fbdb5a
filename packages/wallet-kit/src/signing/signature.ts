import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";

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

/** RSA PKCS#1 v1.5 with SHA-256, as in `signText`. A message cannot choose the algorithm. */
const ALGORITHM = "RSA-SHA256";

/**
 * Verifies a base64 signature over the bytes. Returns false if the base64 is not canonical.
 *
 * Both wallets sign with RSA PKCS#1 v1.5 and SHA-256. The function runs on the event loop, because
 * a verification takes only about 0.02 ms.
 */
export function verifySignature(bytes: Uint8Array, signature: string, key: KeyObject): boolean {
  const decoded = Buffer.from(signature, "base64");
  return decoded.toString("base64") === signature && verify(ALGORITHM, bytes, key, decoded);
}

/** Text of the test signature. Its contents do not matter. */
const SAMPLE = "tillkit=self-check";

/** Signs a sample text. Returns whether the public half of `privateKey` verifies the signature. */
export async function canSign(privateKey: KeyObject): Promise<boolean> {
  const signature = await signText(SAMPLE, privateKey);
  return verifySignature(Buffer.from(SAMPLE), signature, createPublicKey(privateKey));
}
