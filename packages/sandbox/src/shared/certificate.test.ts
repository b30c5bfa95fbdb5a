import { createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { CERTIFICATE_VALIDITY, certificatePem, certificateSn, serialNo } from "./certificate.js";

const pairOf = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
const [holder, authority] = [pairOf(), pairOf()];
const issuer = { commonName: "Root", privateKey: authority.privateKey };
const facts = {
  commonName: "Holder",
  publicKey: holder.publicKey,
  serial: serialNo(holder.publicKey),
  issuer,
};

describe("a certificate", () => {
  it("contains its given facts, and verifies only with its issuer's key", () => {
    const certificate = new X509Certificate(certificatePem(facts));
    expect(certificate.subject).toBe("O=Tillkit Sandbox\nCN=Holder");
    expect(certificate.issuer).toBe("O=Tillkit Sandbox\nCN=Root");
    expect(certificate.serialNumber).toBe(facts.serial);
    expect(Date.parse(certificate.validFrom)).toBe(CERTIFICATE_VALIDITY.from);
    expect(Date.parse(certificate.validTo)).toBe(CERTIFICATE_VALIDITY.to);
    expect(certificate.publicKey.equals(createPublicKey(holder.publicKey))).toBe(true);
    expect(certificate.verify(createPublicKey(authority.publicKey))).toBe(true);
    expect(certificate.verify(createPublicKey(holder.publicKey))).toBe(false);
  });

  it("is equal for equal facts, with a serial number of constant length", () => {
    expect(certificatePem(facts)).toBe(certificatePem(facts));
    expect(facts.serial).toMatch(/^5[0-9A-F]{39}$/);
    expect(certificateSn(certificatePem(facts))).toMatch(/^[0-9a-f]{32}$/);
  });
});
