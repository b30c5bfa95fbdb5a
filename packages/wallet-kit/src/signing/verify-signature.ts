import { type KeyObject, verify } from "node:crypto";

/** RSA PKCS#1 v1.5 with SHA-256, as in `signText`. A message cannot choose the algorithm. */
const ALGORITHM = "RSA-SHA256";

/**
 * Verifies a base64 signature over the bytes. Rejects base64 that is not canonical.
 *
 * Both wallets sign with RSA PKCS#1 v1.5 and SHA-256. The function runs on the event loop, because
 * a verification takes only about 0.02 ms.
 */
export function verifySignature(bytes: Uint8Array, signature: string, key: KeyObject): boolean {
  const decoded = Buffer.from(signature, "base64");
  return decoded.toString("base64") === signature && verify(ALGORITHM, bytes, key, decoded);
}
