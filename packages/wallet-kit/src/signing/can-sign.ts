import { createPublicKey, type KeyObject } from "node:crypto";
import { signText } from "./sign-text.js";
import { verifySignature } from "./verify-signature.js";

/** Text of the test signature. Its contents do not matter. */
const SAMPLE = "tillkit=self-check";

/** Signs a sample text. Returns whether the public half of `privateKey` verifies the signature. */
export async function canSign(privateKey: KeyObject): Promise<boolean> {
  const signature = await signText(SAMPLE, privateKey);
  return verifySignature(Buffer.from(SAMPLE), signature, createPublicKey(privateKey));
}
