import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { WalletAccount } from "@tillkit/core";
import { type PemPair, rsaPairs } from "@tillkit/test-keys";
import { makeCertificate } from "./certificate.js";

const YEAR = 365 * 86_400_000;
/** A time at which the certificates are valid, in epoch milliseconds. */
export const NOW = Date.UTC(2026, 10, 20, 12, 0, 0, 250);
/** A period that includes `NOW` and the time of the system clock. */
const VALIDITY = { from: Date.UTC(2020, 0, 1), to: Date.UTC(2049, 0, 1) };

/** An RSA key pair. */
interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** Creates a key pair of another size than the pairs below. */
export function newPair(modulusLength: number): KeyPair {
  return generateKeyPairSync("rsa", { modulusLength });
}

const ofPem = ({ privateKey, publicKey }: PemPair): KeyPair => ({
  privateKey: createPrivateKey(privateKey),
  publicKey: createPublicKey(publicKey),
});

const [ofMerchant, ofPlatform, ofModern, ofStranger, ofSecond, ofThird] = rsaPairs;
/** The key pair of the merchant. */
export const merchant = ofPem(ofMerchant);
/** The key pair of a platform certificate. */
export const platform = ofPem(ofPlatform);
/** The key pair of a platform public key (`PUB_KEY_ID_…`). */
export const modern = ofPem(ofModern);
/** A key pair that belongs to neither side. */
export const stranger = ofPem(ofStranger);
/** The key pairs of two later platform certificates. */
export const otherPlatforms = [ofPem(ofSecond), ofPem(ofThird)] as const;

/** Serial number of the merchant certificate. */
export const MERCHANT_SERIAL = "3775B6A45ACD588826D15E583A95F5DD9A3F17D1";
/** Serial number of the platform certificate. */
export const PLATFORM_SERIAL = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1";
/** Id of the platform public key. */
export const MODERN_ID = "PUB_KEY_ID_0116000001092024111800351000000001";
/** The APIv3 key of the merchant. */
export const API_V3_KEY = "0123456789abcdef0123456789abcdef";

/** The merchant certificate as PEM text. */
export const merchantCertificate = makeCertificate(merchant, { serialNo: MERCHANT_SERIAL, ...VALIDITY });
/** A merchant certificate that expired before `NOW`, as PEM text. */
export const expiredCertificate = makeCertificate(merchant, {
  serialNo: MERCHANT_SERIAL,
  from: NOW - 5 * YEAR,
  to: NOW - 1,
});
/** The platform certificate as PEM text. */
export const platformCertificate = makeCertificate(platform, { serialNo: PLATFORM_SERIAL, ...VALIDITY });

/** Returns a key as PEM text: PKCS#8 for private keys, SPKI for public keys. */
export const pemOf = (key: KeyObject): string =>
  key.export({ format: "pem", type: key.type === "private" ? "pkcs8" : "spki" }).toString();

/** Valid credentials, in the forms that WeChat Pay issues. */
export const credentials: Readonly<Record<string, string>> = {
  merchantPrivateKey: pemOf(merchant.privateKey),
  merchantSerialNo: MERCHANT_SERIAL,
  merchantCertificate,
  apiV3Key: API_V3_KEY,
  platformKeys: JSON.stringify({
    [PLATFORM_SERIAL]: platformCertificate,
    [MODERN_ID]: pemOf(modern.publicKey),
  }),
};

/** A DEV account with these credentials. */
export const account: WalletAccount = {
  id: "01TESTPAYTOOL",
  appId: "app_1",
  accountId: "1900000109",
  walletAppId: "wxd678efh567hg6787",
  payChannel: "WALLET_A",
  signStatus: "OK",
  appEnv: "DEV",
  appName: "Demo",
  appPackageName: "com.example.demo",
  appSignature: "0123456789abcdef",
  credentials,
  gmtCreate: 0,
  gmtModified: 0,
};
