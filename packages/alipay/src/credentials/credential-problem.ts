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
    "the Alipay public key from the console's page of the app's keys; while it is being replaced both, separated by a comma",
  appCertificate: "the whole text of appCertPublicKey_….crt",
  alipayCertificate:
    "the whole text of alipayCertPublicKey_RSA2.crt; while it is being replaced both files, one after the other",
  alipayRootCertificate: "the whole text of alipayRootCert.crt",
  credentials:
    "appPrivateKey with alipayPublicKey, or appPrivateKey with appCertificate, alipayCertificate and alipayRootCertificate",
} as const satisfies Record<AlipayCredentialProblem["field"], string>;

const FAULTS = {
  missing: "is missing",
  "not-text": "is not text",
  unreadable: "cannot be read",
  several: "holds several keys where there is one",
  encrypted: "is protected by a password: take the password off with `openssl pkcs8`",
  "is-private-key": "is a private key, which belongs nowhere but in appPrivateKey",
  "is-public-key": "is a public key",
  "is-certificate": "is a certificate",
  "not-rsa": "is not an RSA key",
  "too-short": "is shorter than 2048 bits: make a new pair for RSA2",
  "unknown-name": "have a name that is not known here",
  "two-modes": "mix a bare Alipay public key with certificates, and an app is in one mode only",
  "is-own": "is the app's own public half, not the wallet's",
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
