import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { err, ok, type Result } from "neverthrow";

const MIN_BITS = 2048;

/** A public key, and its certificate if the text was one. */
export interface PublicKey {
  readonly key: KeyObject;
  readonly certificate?: X509Certificate;
}

/**
 * Parses an RSA private key from PEM or bare base64.
 *
 * PEM may be PKCS#8 or PKCS#1. It may be on one line or contain `\n` as two characters.
 * @returns the key, or an error text that says which value to provide instead. The error does not
 *   contain the text.
 */
export function privateKeyOf(text: string): Result<KeyObject, string> {
  const { label, der, encrypted } = unwrapped(text);
  if (encrypted)
    return err("is protected by a password; paste the text of apiclient_key.pem, which has no password");
  if (label === "CERTIFICATE")
    return err("is a certificate, not a private key; paste the text of apiclient_key.pem");
  if (label?.endsWith("PUBLIC KEY") === true)
    return err("is a public key; paste the text of apiclient_key.pem, which starts with BEGIN PRIVATE KEY");
  const types = label === undefined ? PRIVATE_TYPES : PRIVATE_TYPES.filter((type) => LABELS[type] === label);
  const key = loadPrivate(types, der);
  return key === undefined
    ? err("is not a private key; paste the whole text of apiclient_key.pem, from BEGIN to END")
    : strong(key);
}

/**
 * Parses an RSA public key from a certificate or public key, in PEM or bare base64.
 *
 * PEM may be on one line or contain `\n` as two characters.
 */
export function publicKeyOf(text: string): Result<PublicKey, string> {
  const { label, der, encrypted } = unwrapped(text);
  // Node would derive the public key from a private key. A secret must not be stored in this field.
  if (encrypted || label?.endsWith("PRIVATE KEY") === true || loadPrivate(PRIVATE_TYPES, der) !== undefined)
    return err("is a private key; paste WeChat Pay's public key or certificate instead");
  const certificate = certificateIn(label, der);
  if (certificate !== undefined) return strong(certificate.publicKey).map((key) => ({ key, certificate }));
  const types =
    label === undefined ? PUBLIC_TYPES : PUBLIC_TYPES.filter((type) => LABELS_PUBLIC[type] === label);
  const key = firstOf(types, (type) => createPublicKey({ key: der, format: "der", type }));
  return key === undefined
    ? err("is neither a public key nor a certificate; paste the whole text of pub_key.pem, from BEGIN to END")
    : strong(key).map((strongKey) => ({ key: strongKey }));
}

/** Parses a certificate with an RSA key, in PEM or bare base64. */
export function certificateOf(text: string): Result<X509Certificate, string> {
  const { label, der } = unwrapped(text);
  const certificate = certificateIn(label, der);
  if (certificate === undefined)
    return err("is not a certificate; paste the whole text of apiclient_cert.pem, from BEGIN to END");
  return strong(certificate.publicKey).map(() => certificate);
}

const LABELS = { pkcs8: "PRIVATE KEY", pkcs1: "RSA PRIVATE KEY" } as const;
const LABELS_PUBLIC = { spki: "PUBLIC KEY", pkcs1: "RSA PUBLIC KEY" } as const;
const PRIVATE_TYPES = ["pkcs8", "pkcs1"] as const;
const PUBLIC_TYPES = ["spki", "pkcs1"] as const;

interface Unwrapped {
  /** The label of the PEM header; absent for bare base64. */
  readonly label?: string;
  readonly der: Buffer;
  readonly encrypted: boolean;
}

// Forms and environment variables may damage line ends, so this function parses PEM, not OpenSSL.
function unwrapped(text: string): Unwrapped {
  const lines = text.replaceAll("\\r", "").replaceAll("\\n", "\n");
  const [, label, inside] = /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)/.exec(lines) ?? [];
  const encrypted = label === "ENCRYPTED PRIVATE KEY" || /Proc-Type:[^\n]*ENCRYPTED/.test(lines);
  const der = Buffer.from((inside ?? lines).replaceAll(/\s/g, ""), "base64");
  return label === undefined ? { der, encrypted } : { label, der, encrypted };
}

function loadPrivate(types: readonly (typeof PRIVATE_TYPES)[number][], der: Buffer): KeyObject | undefined {
  return firstOf(types, (type) => createPrivateKey({ key: der, format: "der", type }));
}

function certificateIn(label: string | undefined, der: Buffer): X509Certificate | undefined {
  return label === undefined || label === "CERTIFICATE"
    ? firstOf([der], (bytes) => new X509Certificate(bytes))
    : undefined;
}

/** Returns the first result of `load` that does not throw, or `undefined`. */
function firstOf<C, T>(choices: readonly C[], load: (choice: C) => T): T | undefined {
  for (const choice of choices) {
    try {
      return load(choice);
    } catch {
      // The next choice may work.
    }
  }
  return undefined;
}

function strong(key: KeyObject): Result<KeyObject, string> {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== "rsa") return err("is not an RSA key; WeChat Pay signs with RSA only");
  return bits < MIN_BITS ? err(`is an RSA key of ${bits} bits; it must have at least ${MIN_BITS}`) : ok(key);
}
