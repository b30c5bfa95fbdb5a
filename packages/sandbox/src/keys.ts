import { createHash, generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import * as z from "zod";
import { serialNo } from "./shared/certificate.js";

/** The schema of an RSA key pair. */
export const pair = z.object({ publicKey: z.string(), privateKey: z.string() }).readonly();
/** An RSA key pair as PEM texts (SPKI, PKCS#8). */
export type PemPair = z.infer<typeof pair>;

/**
 * The schema of every key of one sandbox, of both sides of both wallets.
 *
 * The JSON form can be stored and passed to another sandbox.
 */
export const sandboxKeys = z
  .object({
    walletA: z
      .object({
        merchant: pair,
        /** The pair whose public key is in the platform certificate. */
        wallet: pair,
        /** The pair whose public key merchants download, with a `PUB_KEY_ID_` number. */
        downloaded: pair,
        apiV3Key: z.string(),
      })
      .readonly(),
    walletB: z.object({ app: pair, wallet: pair }).readonly(),
    /** A pair that neither wallet uses any more, to test that a host refuses its signatures. */
    retired: pair,
  })
  .readonly();
/**
 * The keys of one sandbox, as {@link newSandboxKeys} creates them and a state file stores them.
 *
 * The pairs are PEM texts; `apiV3Key` is a 32-character symmetric key.
 */
export type SandboxKeys = z.infer<typeof sandboxKeys>;

/** The public keys that verify payloads, responses and notifications, as PEM texts. */
export interface SandboxPublicKeys {
  readonly walletA: {
    readonly merchantPublicKey: string;
    /**
     * The keys by the number that WeChat Pay sends beside its signature.
     *
     * The number is that of its certificate or that of its downloaded public key.
     */
    readonly walletPublicKeys: Readonly<Record<string, string>>;
  };
  readonly walletB: { readonly appPublicKey: string; readonly walletPublicKey: string };
}

const generate = promisify(generateKeyPair);

/**
 * Generates RSA-2048 pairs and a symmetric key, off the main thread.
 *
 * Takes some tenths of a second, so generate the keys once per process.
 *
 * @returns the keys of both wallets and of the merchant.
 * @example
 * ```ts
 * import { newSandboxKeys, openSandbox } from "@tillkit/sandbox";
 *
 * const keys = await newSandboxKeys();
 * const sandbox = await openSandbox({ keys });
 * ```
 */
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

/** Returns the public keys of a sandbox. */
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

/** Derives the number of a downloaded public key: `PUB_KEY_ID_` and 32 digits. */
export function publicKeyId(publicKeyPem: string): string {
  const number = BigInt(`0x${createHash("sha256").update(publicKeyPem).digest("hex")}`);
  return `PUB_KEY_ID_01${String(number).slice(0, 30)}`;
}

/** Generates an RSA-2048 pair, off the main thread. */
export function newPair(): Promise<PemPair> {
  return generate("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}
