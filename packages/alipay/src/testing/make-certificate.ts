import { createPublicKey, sign, X509Certificate } from "node:crypto";
import type { TestPair } from "./keys.js";

// X.509 version 3 with RSA and SHA-256 by RFC 5280, for the certificate chains of tests.

/** The contents of a certificate. Times are epoch milliseconds. */
export interface CertificateFacts {
  /** Common name of the holder. */
  readonly name: string;
  /** Organisation of the holder. Empty for none. Defaults to "Test Wallet". */
  readonly organization?: string;
  readonly holder: Pick<TestPair, "publicPem">;
  /** The certificate of the issuer. Defaults to the certificate itself. */
  readonly issuer?: string;
  readonly signedBy: Pick<TestPair, "privatePem">;
  /** Value of the basic constraint for authorities. Defaults to no constraint. */
  readonly authority?: boolean;
  readonly from?: number;
  readonly to?: number;
}

let made = 0;

/** Creates a certificate as PEM text, with a unique serial number. */
export function makeCertificate(facts: CertificateFacts): string {
  const { name, organization = "Test Wallet", holder, issuer, signedBy, authority } = facts;
  const { from = Date.UTC(2020, 0), to = Date.UTC(2049, 0) } = facts;
  made += 1;
  const subject = nameOf(organization, name);
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.of(0x51, made >> 8, made & 0xff)),
    ALGORITHM,
    issuer === undefined ? subject : subjectOf(issuer),
    sequence(utcTime(from), utcTime(to)),
    subject,
    createPublicKey(holder.publicPem).export({ format: "der", type: "spki" }),
    ...(authority === undefined ? [] : [tlv(0xa3, sequence(basicConstraints(authority)))]),
  );
  const signature = sign("RSA-SHA256", body, signedBy.privatePem);
  const der = sequence(body, ALGORITHM, tlv(0x03, Buffer.of(0), signature));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function subjectOf(pem: string): Buffer {
  const [organization = "", name = ""] = new X509Certificate(pem).subject
    .split("\n")
    .map((part) => part.slice(part.indexOf("=") + 1));
  return nameOf(organization, name);
}

function nameOf(organization: string, name: string): Buffer {
  const commonName = attribute(COMMON_NAME, name);
  if (organization === "") return sequence(commonName);
  return sequence(attribute(ORGANIZATION, organization), commonName);
}

function attribute(type: Buffer, text: string): Buffer {
  return tlv(0x31, sequence(type, tlv(0x0c, Buffer.from(text))));
}

function basicConstraints(authority: boolean): Buffer {
  const value = authority ? sequence(Buffer.of(0x01, 0x01, 0xff)) : sequence();
  return sequence(BASIC_CONSTRAINTS, tlv(0x04, value));
}

function utcTime(instant: number): Buffer {
  const text = new Date(instant).toISOString().replaceAll(/[-:T]/g, "").slice(2, 14);
  return tlv(0x17, Buffer.from(`${text}Z`));
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tlv(0x30, ...parts);
}

function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const SHA256_WITH_RSA = Buffer.from("06092a864886f70d01010b", "hex");
const ALGORITHM = sequence(SHA256_WITH_RSA, tlv(0x05));
const COMMON_NAME = Buffer.from("0603550403", "hex");
const ORGANIZATION = Buffer.from("060355040a", "hex");
const BASIC_CONSTRAINTS = Buffer.from("0603551d13", "hex");
