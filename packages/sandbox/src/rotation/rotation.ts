import * as z from "zod";
import type { Journal } from "../journal.js";
import { newPair, pair, type PemPair, type SandboxKeys } from "../keys.js";
import { type SandboxMerchant, WALLET_A_NAME, WALLET_B_NAME, WALLET_B_ROOT_NAME } from "../merchant.js";
import { CERTIFICATE_VALIDITY, certificatePem, certificateSn, serialNo } from "../shared/certificate.js";

/** A wallet, as the control interface names it. */
export type RotatedWallet = "A" | "B";

/** A certificate of a wallet. Times are epoch milliseconds. */
export interface WalletCertificate {
  /** Its name in messages: the serial number at WeChat Pay, the SN at Alipay. */
  readonly name: string;
  readonly pem: string;
  readonly keys: PemPair;
  /** From when the wallet signs with it. */
  readonly effectiveAt: number;
  /** When the certificate expires, or when the wallet stops listing it after its replacement. */
  readonly expiresAt: number;
}

/** How to replace a key. */
export interface RotateOptions {
  readonly wallet: RotatedWallet;
  /** Days until the new certificate expires. */
  readonly validDays: number;
}

/** The certificates of both wallets, which can be replaced while the sandbox runs. */
export interface Rotation {
  /** WeChat Pay's current keys, and Alipay's keys for key mode. The members are always current. */
  readonly keys: SandboxKeys;
  /** Replaces a wallet's certificate and returns the new one. The wallet signs with it at once. */
  rotate(options: RotateOptions): Promise<WalletCertificate>;
  /** Returns WeChat Pay's certificates that are listed now, oldest first. */
  listedA(): readonly WalletCertificate[];
  /** Returns the certificate that Alipay signs with for an app in certificate mode. */
  currentB(): WalletCertificate;
  /** Returns a certificate of Alipay followed by its root, as PEM text, or `undefined`. */
  chainB(name: string): string | undefined;
}

/** The dependencies of key rotation. */
export interface RotationOptions {
  readonly keys: SandboxKeys;
  /** Derived from `keys`. Contains the first certificate of each wallet. */
  readonly merchant: SandboxMerchant;
  readonly clock: { now(): number };
  readonly journal: Journal;
}

const DAY = 86_400_000;
/** How long WeChat Pay lists a certificate after its replacement, as its certificate guide says. */
const OVERLAP = 5 * DAY;
const KIND = "rotation";
const kept = z
  .object({ wallet: z.enum(["A", "B"]), keys: pair, effectiveAt: z.int(), expiresAt: z.int() })
  .readonly();
type Kept = z.infer<typeof kept>;

/** Opens the certificates with all replacements in the journal. */
export function openRotation({ keys, merchant, clock, journal }: RotationOptions): Rotation {
  const root = { commonName: WALLET_B_ROOT_NAME, privateKey: keys.walletB.wallet.privateKey };
  const { rootCertificate } = merchant.walletB;
  const [walletA, walletB] = [[first("A")], [first("B")]];

  function first(wallet: RotatedWallet): WalletCertificate {
    const { from: effectiveAt, to: expiresAt } = CERTIFICATE_VALIDITY;
    if (wallet === "B") {
      const pem = merchant.walletB.walletCertificate;
      return { name: certificateSn(pem), pem, keys: keys.walletB.wallet, effectiveAt, expiresAt };
    }
    const { walletCertificate: pem, walletSerialNo: name } = merchant.walletA;
    return { name, pem, keys: keys.walletA.wallet, effectiveAt, expiresAt };
  }

  function certified({ wallet, keys: own, effectiveAt, expiresAt }: Kept): WalletCertificate {
    const { publicKey, privateKey } = own;
    const validity = { from: effectiveAt, to: expiresAt };
    const facts = { keys: own, effectiveAt, expiresAt };
    if (wallet === "B") {
      const [commonName, serial] = [WALLET_B_NAME, serialNo(publicKey + WALLET_B_NAME)];
      const pem = certificatePem({ commonName, publicKey, serial, issuer: root, validity });
      return { name: certificateSn(pem), pem, ...facts };
    }
    const name = serialNo(publicKey);
    const issuer = { commonName: WALLET_A_NAME, privateKey };
    const pem = certificatePem({ commonName: WALLET_A_NAME, publicKey, serial: name, issuer, validity });
    return { name, pem, ...facts };
  }

  function add(entry: Kept): WalletCertificate {
    const certificate = certified(entry);
    const list = entry.wallet === "A" ? walletA : walletB;
    const before = list.pop();
    if (before !== undefined) {
      const expiresAt = Math.min(before.expiresAt, entry.effectiveAt + OVERLAP);
      list.push({ ...before, expiresAt });
    }
    list.push(certificate);
    return certificate;
  }

  for (const entry of journal.read(KIND, kept)) add(entry);
  const last = (list: readonly WalletCertificate[], wallet: RotatedWallet) => list.at(-1) ?? first(wallet);

  return {
    keys: {
      get walletA() {
        return { ...keys.walletA, wallet: last(walletA, "A").keys };
      },
      // An app in key mode has a separate key at Alipay, which no certificate replaces.
      walletB: keys.walletB,
      retired: keys.retired,
    },
    rotate: async ({ wallet, validDays }) => {
      const own = await newPair();
      const effectiveAt = clock.now();
      // The certificates contain years of two digits, which end in 2049.
      const expiresAt = Math.min(effectiveAt + validDays * DAY, CERTIFICATE_VALIDITY.to);
      const entry = { wallet, keys: own, effectiveAt, expiresAt };
      journal.write(KIND, entry);
      return add(entry);
    },
    listedA: () => walletA.filter(({ expiresAt }) => clock.now() < expiresAt),
    currentB: () => last(walletB, "B"),
    chainB: (name) => {
      const found = walletB.find((certificate) => certificate.name === name);
      return found === undefined ? undefined : found.pem + rootCertificate;
    },
  };
}
