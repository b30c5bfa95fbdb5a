import { createHash, createPublicKey, sign, X509Certificate } from "node:crypto";
import { ownKey } from "./rsa.js";

/** The contents of a certificate. */
export interface CertificateFacts {
  /** The common name of its holder. */
  readonly commonName: string;
  /** The public key of its holder, PEM (SPKI). */
  readonly publicKey: string;
  /**
   * Hexadecimal. The first digit is 1 to 7, so that the number is positive and keeps its length.
   */
  readonly serial: string;
  /** The name and the private key of its issuer. */
  readonly issuer: { readonly commonName: string; readonly privateKey: string };
  /** Epoch milliseconds, before 2050. Defaults to {@link CERTIFICATE_VALIDITY}. */
  readonly validity?: { readonly from: number; readonly to: number };
}

/** The default validity of certificates, in epoch milliseconds. */
export const CERTIFICATE_VALIDITY = { from: Date.UTC(2020, 0, 1), to: Date.UTC(2049, 11, 31) };

/**
 * Creates an X.509 v1 certificate (RSA with SHA-256, RFC 5280 section 4.1) as PEM text.
 *
 * Equal contents give equal text.
 */
export function certificatePem(facts: CertificateFacts): string {
  const { commonName, publicKey, serial, issuer, validity = CERTIFICATE_VALIDITY } = facts;
  const algorithm = sequence(SHA256_WITH_RSA, NULL);
  const body = sequence(
    der(0x02, Buffer.from(serial, "hex")),
    algorithm,
    nameOf(issuer.commonName),
    sequence(utcTime(validity.from), utcTime(validity.to)),
    nameOf(commonName),
    createPublicKey(publicKey).export({ type: "spki", format: "der" }),
  );
  const signature = sign("RSA-SHA256", body, ownKey(issuer.privateKey));
  return pemOf(sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature]))));
}

/** Derives a serial number from a public key: 40 upper-case hexadecimal digits. */
export function serialNo(publicKeyPem: string): string {
  return `5${createHash("sha256").update(publicKeyPem).digest("hex").slice(1, 40).toUpperCase()}`;
}

/**
 * Derives Alipay's SN of a certificate.
 *
 * The SN is the MD5 of the issuer, last part first, and of the decimal serial number.
 */
export function certificateSn(pem: string): string {
  const { issuer, serialNumber } = new X509Certificate(pem);
  const name = issuer.split("\n").reverse().join(",");
  return createHash("md5")
    .update(`${name}${BigInt(`0x${serialNumber}`)}`)
    .digest("hex");
}

const SHA256_WITH_RSA = Buffer.from("06092a864886f70d01010b", "hex");
const COMMON_NAME = Buffer.from("0603550403", "hex");
const ORGANIZATION = Buffer.from("060355040a", "hex");
const NULL = Buffer.from("0500", "hex");

function nameOf(commonName: string): Buffer {
  const part = (type: Buffer, text: string) => der(0x31, sequence(type, der(0x0c, Buffer.from(text))));
  return sequence(part(ORGANIZATION, "Tillkit Sandbox"), part(COMMON_NAME, commonName));
}

function utcTime(instant: number): Buffer {
  const digits = new Date(instant).toISOString().replace(/\D/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** Encodes a DER element. A length of 128 or more is preceded by its number of bytes. */
function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const short =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...short]), content]);
}

function pemOf(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
