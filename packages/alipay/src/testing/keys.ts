import { generateKeyPairSync } from "node:crypto";

/** An RSA key pair in the forms in which keys are issued. */
export interface TestPair {
  readonly privatePem: string;
  readonly publicPem: string;
  /** Bare base64, as in Alipay's console. */
  readonly pkcs1: string;
  readonly pkcs8: string;
  readonly spki: string;
}

/** Creates a key pair, in some tenths of a second. Prefer {@link testPairs}. */
export function newPair(modulusLength = 2048): TestPair {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength });
  return {
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    pkcs1: privateKey.export({ type: "pkcs1", format: "der" }).toString("base64"),
    pkcs8: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
    spki: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  };
}

/** Six different key pairs, which all test files of a process share. */
export const testPairs = [newPair(), newPair(), newPair(), newPair(), newPair(), newPair()] as const;
