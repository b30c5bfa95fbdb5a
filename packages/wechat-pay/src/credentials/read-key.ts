import type { KeyObject, X509Certificate } from "node:crypto";
import {
  type KeyFault,
  readCertificates,
  readPrivateKey,
  readPublicKeys,
  requireStrongRsa,
} from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";

/** A public key, and its certificate if the text was one. */
export interface PublicKey {
  readonly key: KeyObject;
  readonly certificate?: X509Certificate;
}

/** What an operator reads for each fault. A fault without a text is `unreadable`. */
type FaultTexts = Partial<Readonly<Record<KeyFault, string>>> & { readonly unreadable: string };

const RSA_FAULTS = {
  "not-rsa": "is not an RSA key; WeChat Pay signs with RSA only",
  "too-short": "is an RSA key of less than 2048 bits; it must have at least 2048",
} as const;

const PRIVATE_KEY_FAULTS: FaultTexts = {
  ...RSA_FAULTS,
  unreadable: "is not a private key; paste the whole text of apiclient_key.pem, from BEGIN to END",
  several: "contains several keys; paste the text of apiclient_key.pem only",
  encrypted: "is protected by a password; paste the text of apiclient_key.pem, which has no password",
  "is-certificate": "is a certificate, not a private key; paste the text of apiclient_key.pem",
  "is-public-key":
    "is a public key; paste the text of apiclient_key.pem, which starts with BEGIN PRIVATE KEY",
};

const PUBLIC_KEY_FAULTS: FaultTexts = {
  ...RSA_FAULTS,
  unreadable:
    "is neither a public key nor a certificate; paste the whole text of pub_key.pem, from BEGIN to END",
  "is-private-key": "is a private key; paste WeChat Pay's public key or certificate instead",
};

const CERTIFICATE_FAULTS: FaultTexts = {
  ...RSA_FAULTS,
  unreadable: "is not a certificate; paste the whole text of apiclient_cert.pem, from BEGIN to END",
};

/**
 * Parses an RSA private key from PEM or bare base64.
 *
 * @returns the key, or an error text that says which value to provide instead. The error does not
 *   contain the text.
 */
export function privateKeyOf(text: string): Result<KeyObject, string> {
  return readPrivateKey(text).mapErr(textOf(PRIVATE_KEY_FAULTS));
}

/** Parses an RSA public key from a certificate or public key, in PEM or bare base64. */
export function publicKeyOf(text: string): Result<PublicKey, string> {
  return readPublicKeys(text)
    .andThen(first)
    .map((key): PublicKey => ({ key }))
    .orElse((fault) =>
      fault === "is-certificate"
        ? strongCertificate(text).map((certificate) => ({ key: certificate.publicKey, certificate }))
        : err(fault),
    )
    .mapErr(textOf(PUBLIC_KEY_FAULTS));
}

/** Parses a certificate with an RSA key, in PEM or bare base64. Uses the first one of a chain. */
export function certificateOf(text: string): Result<X509Certificate, string> {
  return strongCertificate(text).mapErr(textOf(CERTIFICATE_FAULTS));
}

function strongCertificate(text: string): Result<X509Certificate, KeyFault> {
  return readCertificates(text)
    .andThen(first)
    .andThen((certificate) => requireStrongRsa(certificate.publicKey).map(() => certificate));
}

function first<T>([value]: readonly T[]): Result<T, KeyFault> {
  return value === undefined ? err("unreadable") : ok(value);
}

function textOf(texts: FaultTexts): (fault: KeyFault) => string {
  return (fault) => texts[fault] ?? texts.unreadable;
}
