import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { type PemPair, rsaPairs } from "@tillkit/test-keys";

/** An RSA key pair in the forms in which keys are issued. */
export interface TestPair {
  readonly privatePem: string;
  readonly publicPem: string;
  /** Bare base64, as in Alipay's console. */
  readonly pkcs1: string;
  readonly pkcs8: string;
  readonly spki: string;
}

/** Creates a key pair of another size than {@link testPairs}. */
export function newPair(modulusLength: number): TestPair {
  return formsOf(generateKeyPairSync("rsa", { modulusLength }));
}

function formsOf({ privateKey, publicKey }: Record<"privateKey" | "publicKey", KeyObject>): TestPair {
  return {
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    pkcs1: privateKey.export({ type: "pkcs1", format: "der" }).toString("base64"),
    pkcs8: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
    spki: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  };
}

const [first, second, third, fourth, fifth, sixth] = rsaPairs;
/** Six different pairs of 2048 bits, which all tests share. */
export const testPairs = [
  ofPem(first),
  ofPem(second),
  ofPem(third),
  ofPem(fourth),
  ofPem(fifth),
  ofPem(sixth),
] as const;

function ofPem({ privateKey, publicKey }: PemPair): TestPair {
  return formsOf({ privateKey: createPrivateKey(privateKey), publicKey: createPublicKey(publicKey) });
}
