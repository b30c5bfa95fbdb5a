import { X509Certificate } from "node:crypto";
import { orThrow } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { certificateFile, type CertificateTrust, findTrustedRoot } from "./certificate-chain.js";
import { checkAlipayAccount } from "../credentials/check-account.js";
import { parseAlipayCredentials } from "../credentials/parse-credentials.js";
import { testPairs } from "../testing/keys.js";
import { makeCertificate } from "../testing/make-certificate.js";

const YEAR = 365 * 86_400_000;
const NOW = Date.UTC(2026, 10, 21);
const [rootPair, authorityPair, alipayPair, appPair, stranger] = testPairs;
const x509 = (pem: string) => new X509Certificate(pem);

const root = makeCertificate({ name: "root", holder: rootPair, signedBy: rootPair, authority: true });
// Like Alipay's own authority, the certificate does not state that it is an authority.
const authority = makeCertificate({
  name: "class 2",
  holder: authorityPair,
  issuer: root,
  signedBy: rootPair,
  to: NOW + 10 * YEAR,
});
const alipay = makeCertificate({
  name: "alipay",
  holder: alipayPair,
  issuer: authority,
  signedBy: authorityPair,
  to: NOW + YEAR,
});
const app = makeCertificate({
  name: "app",
  organization: "Test Merchant",
  holder: appPair,
  issuer: authority,
  signedBy: authorityPair,
  to: NOW + 2 * YEAR,
});
const credentials = {
  appPrivateKey: appPair.pkcs8,
  appCertificate: app + authority,
  alipayCertificate: alipay + authority,
  alipayRootCertificate: root,
};

describe("a file with an authority that is not marked as one", () => {
  it.each([
    ["after the leaf", alipay + authority],
    ["before the leaf", authority + alipay],
    ["twice", authority + alipay + authority],
  ])("has one leaf: %s", (_where, alipayCertificate) => {
    const parsed = orThrow(parseAlipayCredentials({ ...credentials, alipayCertificate }));
    expect(parsed.alipayKeys.map(({ key }) => key.equals(x509(alipay).publicKey))).toEqual([true]);
    expect(parsed.certificates?.endsAt).toEqual({
      alipayCertificate: NOW + YEAR,
      appCertificate: NOW + 2 * YEAR,
    });
  });

  it("does not hide that the leaf has expired", async () => {
    const problems = await checkAlipayAccount({ accountId: "2088000000000000", credentials }, NOW + YEAR);
    expect(problems.map(({ message }) => message.en)).toEqual([
      expect.stringMatching(/^alipayCertificate has expired/),
    ]);
  });

  it("does not let the authority replace the app's own certificate", () => {
    const foreign = { ...credentials, appPrivateKey: authorityPair.pkcs8 };
    const problems = parseAlipayCredentials(foreign)._unsafeUnwrapErr();
    expect(problems.map(({ field, reason }) => `${field} ${reason}`)).toEqual(["appCertificate mismatch"]);
  });

  it("keeps every leaf if there are several", () => {
    const next = makeCertificate({
      name: "alipay",
      holder: stranger,
      issuer: authority,
      signedBy: authorityPair,
    });
    const { leaves, authorities } = certificateFile([alipay, authority, next, alipay, authority].map(x509));
    expect(leaves.map(({ serialNumber }) => serialNumber)).toEqual(
      [alipay, next].map((pem) => x509(pem).serialNumber),
    );
    expect(authorities.map(({ subject }) => subject)).toEqual(["O=Test Wallet\nCN=class 2"]);
  });

  it("has an authority only if a signature shows it: a name alone is not enough", () => {
    const named = makeCertificate({ name: "x", holder: stranger, issuer: alipay, signedBy: stranger });
    expect(certificateFile([alipay, named].map(x509)).leaves).toHaveLength(2);
  });
});

describe("findTrustedRoot", () => {
  const trust = (changes: Partial<CertificateTrust> = {}): CertificateTrust => ({
    roots: [x509(root)],
    intermediates: [x509(authority)],
    leaves: [x509(alipay)],
    ...changes,
  });
  const leads = (pem: string, presented: readonly string[] = [], by = trust(), now = NOW) =>
    findTrustedRoot(x509(pem), presented.map(x509), by, now)?.subject;
  const ROOT = "O=Test Wallet\nCN=root";

  it("finds the root through a configured authority, and directly", () => {
    expect(leads(alipay)).toBe(ROOT);
    const direct = makeCertificate({ name: "a", holder: stranger, issuer: root, signedBy: rootPair });
    expect(leads(direct)).toBe(ROOT);
  });

  it("finds the root through a presented authority only if it is marked as one", () => {
    const none = trust({ intermediates: [] });
    expect(leads(alipay, [authority], none)).toBeUndefined();
    const output = makeCertificate({
      name: "class 2",
      holder: authorityPair,
      issuer: root,
      signedBy: rootPair,
      authority: true,
    });
    expect(leads(alipay, [output], none)).toBe(ROOT);
  });

  it("does not accept another merchant's certificate as an authority", () => {
    const forged = makeCertificate({ name: "alipay", holder: stranger, issuer: app, signedBy: appPair });
    expect(leads(forged, [app, authority])).toBeUndefined();
  });

  it("does not accept another root of the same name, or an invalid signature", () => {
    const namesake = makeCertificate({ name: "root", holder: stranger, signedBy: stranger, authority: true });
    expect(leads(alipay, [], trust({ roots: [x509(namesake)] }))).toBeUndefined();
    const forged = makeCertificate({ name: "a", holder: stranger, issuer: authority, signedBy: stranger });
    expect(leads(forged)).toBeUndefined();
    const self = makeCertificate({ name: "a", holder: stranger, signedBy: stranger, authority: true });
    expect(leads(self, [self])).toBeUndefined();
  });

  it("does not accept a certificate that is not valid yet or not valid any more", () => {
    expect(leads(alipay, [], trust(), NOW + YEAR)).toBeUndefined();
    expect(leads(alipay, [], trust(), Date.UTC(2019, 0))).toBeUndefined();
    const over = makeCertificate({
      name: "class 2",
      holder: authorityPair,
      issuer: root,
      signedBy: rootPair,
      to: NOW - 1,
    });
    expect(leads(alipay, [], trust({ intermediates: [x509(over)] }))).toBeUndefined();
  });
});
