import { type KeyObject, verify } from "node:crypto";

/** RSA PKCS#1 v1.5 with SHA-256, which the wallet calls RSA2. Nothing here takes the algorithm from a message. */
const ALGORITHM = "RSA-SHA256";

/** Whether `signature` (base64, written as the standard says) is the one of `key` over exactly these bytes. */
export function verifyBytes(bytes: Uint8Array, signature: string, key: KeyObject): boolean {
  const decoded = Buffer.from(signature, "base64");
  return decoded.toString("base64") === signature && verify(ALGORITHM, bytes, key, decoded);
}
