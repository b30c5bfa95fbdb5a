import { createHash, generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import { serialNo } from "./shared/certificate.js";

/** The shape of an RSA pair. */
export const pair = z.object({ publicKey: z.string(), privateKey: z.string() }).readonly();
/** An RSA pair as PEM texts (SPKI, PKCS#8). */
export type PemPair = z.infer<typeof pair>;

/** Every key of one sandbox, on both sides of both wallets. As JSON it can be kept and given to the next sandbox. */
export const sandboxKeys = z
  .object({
    walletA: z
      .object({
        merchant: pair,
        /** The one whose public half is in the platform certificate. */
        wallet: pair,
        /** The one whose public half merchants download, with a `PUB_KEY_ID_` number instead of a certificate. */
        downloaded: pair,
        apiV3Key: z.string(),
      })
      .readonly(),
    walletB: z.object({ app: pair, wallet: pair }).readonly(),
    /** A pair that neither wallet signs with any more: for what a host must not believe. */
    retired: pair,
  })
  .readonly();
/** The keys of one sandbox, as `newSandboxKeys` makes them and a state file holds them. PEM texts, and a 32-character symmetric key. */
export type SandboxKeys = z.infer<typeof sandboxKeys>;

/** The public halves: what a verifier of payloads, answers and notifications needs. PEM texts. */
export interface SandboxPublicKeys {
  readonly walletA: {
    readonly merchantPublicKey: string;
    /** By the number that the wallet names beside its signature: of its certificate, and of the key that is downloaded. */
    readonly walletPublicKeys: Readonly<Record<string, string>>;
  };
  readonly walletB: { readonly appPublicKey: string; readonly walletPublicKey: string };
}

const generate = promisify(generateKeyPair);

/** Makes new RSA-2048 pairs and a symmetric key, off the main thread. It takes some tenths of a second: make them once a process. */
export async function newSandboxKeys(): Promise<SandboxKeys> {
  const [merchant, walletA, downloaded, app, walletB, retired] = await Promise.all([
    newPair(),
    newPair(),
    newPair(),
    newPair(),
    newPair(),
    newPair(),
  ]);
  return {
    walletA: { merchant, wallet: walletA, downloaded, apiV3Key: randomBytes(16).toString("hex") },
    walletB: { app, wallet: walletB },
    retired,
  };
}

/** What anybody may know of the keys. */
export function publicKeys({ walletA, walletB }: SandboxKeys): SandboxPublicKeys {
  const { merchant, wallet, downloaded } = walletA;
  return {
    walletA: {
      merchantPublicKey: merchant.publicKey,
      walletPublicKeys: {
        [serialNo(wallet.publicKey)]: wallet.publicKey,
        [publicKeyId(downloaded.publicKey)]: downloaded.publicKey,
      },
    },
    walletB: { appPublicKey: walletB.app.publicKey, walletPublicKey: walletB.wallet.publicKey },
  };
}

/** The number of a public key that merchants download: `PUB_KEY_ID_` and 32 digits. */
export function publicKeyId(publicKeyPem: string): string {
  const number = BigInt(`0x${createHash("sha256").update(publicKeyPem).digest("hex")}`);
  return `PUB_KEY_ID_01${String(number).slice(0, 30)}`;
}

/** Makes an RSA-2048 pair, off the main thread. */
export function newPair(): Promise<PemPair> {
  return generate("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}
