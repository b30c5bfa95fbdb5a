import type { KeyFault } from "@tillkit/wallet-kit";

/** The fields of the `credentials` of a WALLET_B account. */
export type AlipayCredentialName =
  "appPrivateKey" | "alipayPublicKey" | "appCertificate" | "alipayCertificate" | "alipayRootCertificate";

/** One problem with an account's credentials. Does not contain any part of the values. */
export interface AlipayCredentialProblem {
  readonly name: "credential.invalid";
  /** `credentials` if the problem concerns more than one field. */
  readonly field: AlipayCredentialName | "credentials";
  readonly reason: CredentialFault;
  /** What is wrong and which value to provide instead, for an operator. */
  readonly message: string;
}

/** What can be wrong with credentials. */
export type CredentialFault =
  KeyFault | "missing" | "not-text" | "unknown-name" | "two-modes" | "is-own" | "mismatch" | "expired";

const WANTED = {
  appPrivateKey: "the app's private key, as the key tool wrote it: base64 of PKCS#8 or PKCS#1, or PEM",
  alipayPublicKey:
    "the Alipay public key that the console shows on the page of the app's keys; during a replacement both keys, separated by a comma",
  appCertificate: "the whole text of appCertPublicKey_….crt",
  alipayCertificate:
    "the whole text of alipayCertPublicKey_RSA2.crt; during a replacement both files, one after the other",
  alipayRootCertificate: "the whole text of alipayRootCert.crt",
  credentials:
    "appPrivateKey with alipayPublicKey, or appPrivateKey with appCertificate, alipayCertificate and alipayRootCertificate",
} as const satisfies Record<AlipayCredentialProblem["field"], string>;

const FAULTS = {
  missing: "is missing",
  "not-text": "is not text",
  unreadable: "cannot be read",
  several: "contains several keys, but only one is allowed",
  encrypted: "is protected by a password: remove the password with `openssl pkcs8`",
  "is-private-key": "is a private key, which is allowed only in appPrivateKey",
  "is-public-key": "is a public key",
  "is-certificate": "is a certificate",
  "not-rsa": "is not an RSA key",
  "too-short": "is shorter than 2048 bits: create a new key pair for RSA2",
  "unknown-name": "have an unknown field",
  "two-modes":
    "contain both alipayPublicKey and certificates, but an app uses either key mode or certificate mode",
  "is-own": "is the app's own public key, not Alipay's",
  mismatch: "does not belong to appPrivateKey",
  expired: "has expired: download the new one",
} as const satisfies Record<CredentialFault, string>;

/** Creates a problem with its message. */
export function credentialProblem(
  field: AlipayCredentialProblem["field"],
  reason: CredentialFault,
): AlipayCredentialProblem {
  const message = `${field} ${FAULTS[reason]}. Wanted: ${WANTED[field]}.`;
  return { name: "credential.invalid", field, reason, message };
}
