import { generateKeyPairSync } from "node:crypto";

/** An RSA pair in the forms that keys are handed out in. */
export interface TestPair {
  readonly privatePem: string;
  readonly publicPem: string;
  /** Bare base64, as the console shows it. */
  readonly pkcs1: string;
  readonly pkcs8: string;
  readonly spki: string;
}

/** A new pair; 2048 bits take some tenths of a second, so a test file makes it once. */
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
