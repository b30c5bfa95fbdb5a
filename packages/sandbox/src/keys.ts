import { createHash, generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";

const pair = z.object({ publicKey: z.string(), privateKey: z.string() }).readonly();
/** An RSA pair as PEM texts (SPKI, PKCS#8). */
export type PemPair = z.infer<typeof pair>;

/** Every key of one sandbox, on both sides of both wallets. As JSON it can be kept and given to the next sandbox. */
export const sandboxKeys = z
  .object({
    walletA: z.object({ merchant: pair, wallet: pair, apiV3Key: z.string() }).readonly(),
    walletB: z.object({ app: pair, wallet: pair }).readonly(),
  })
  .readonly();
/** The keys of one sandbox, as `newSandboxKeys` makes them and a state file holds them. PEM texts, and a 32-character symmetric key. */
export type SandboxKeys = z.infer<typeof sandboxKeys>;

/** The public halves: what a verifier of payloads and notifications needs. PEM texts. */
export interface SandboxPublicKeys {
  readonly walletA: {
    readonly merchantPublicKey: string;
    /** By the serial number that the wallet names beside its signature. */
    readonly walletPublicKeys: Readonly<Record<string, string>>;
  };
  readonly walletB: { readonly appPublicKey: string; readonly walletPublicKey: string };
}

const generate = promisify(generateKeyPair);

/** Makes new RSA-2048 pairs and a symmetric key, off the main thread. It takes some tenths of a second: make them once a process. */
export async function newSandboxKeys(): Promise<SandboxKeys> {
  const [merchant, walletA, app, walletB] = await Promise.all([newPair(), newPair(), newPair(), newPair()]);
  return {
    walletA: { merchant, wallet: walletA, apiV3Key: randomBytes(16).toString("hex") },
    walletB: { app, wallet: walletB },
  };
}

/** What anybody may know of the keys. */
export function publicKeys({ walletA, walletB }: SandboxKeys): SandboxPublicKeys {
  return {
    walletA: {
      merchantPublicKey: walletA.merchant.publicKey,
      walletPublicKeys: { [serialNo(walletA.wallet.publicKey)]: walletA.wallet.publicKey },
    },
    walletB: { appPublicKey: walletB.app.publicKey, walletPublicKey: walletB.wallet.publicKey },
  };
}

/** A serial number for a public key: 40 upper-case hexadecimal digits, like those of WALLET_A's certificates. */
export function serialNo(publicKeyPem: string): string {
  return createHash("sha256").update(publicKeyPem).digest("hex").slice(0, 40).toUpperCase();
}

function newPair(): Promise<PemPair> {
  return generate("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}
