import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** How many signatures a sample makes: about 50 ms of work. */
const SIGNATURES = 200;
const TEXT = Buffer.alloc(600, "x");

/**
 * Creates a function that does a fixed piece of work and returns its time.
 *
 * The work is RSA-2048 signatures, which need no memory, disk or other process. Without noise of
 * the machine, all results would be equal. A result is in microseconds per signature.
 */
export function openYardstick(): () => number {
  let key: KeyObject | undefined;
  return () => {
    key ??= newKey();
    const from = performance.now();
    for (let count = 0; count < SIGNATURES; count += 1) sign("RSA-SHA256", TEXT, key);
    return ((performance.now() - from) * 1_000) / SIGNATURES;
  };
}

function newKey(): KeyObject {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return createPrivateKey(privateKey);
}
