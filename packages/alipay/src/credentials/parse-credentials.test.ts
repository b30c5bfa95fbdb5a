import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { orThrow } from "@tillkit/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAlipayCredentials } from "./parse-credentials.js";
import {
  ALIPAY_CERTIFICATE,
  APP_CERTIFICATE,
  APP_PRIVATE_KEY,
  NEXT_ALIPAY_CERTIFICATE,
  ROOTS,
  SNS,
} from "../testing/certificates.js";
import { newPair, testPairs } from "../testing/keys.js";

const [app, wallet, next] = testPairs;
const byKey = { appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki };
const byCertificate = {
  appPrivateKey: APP_PRIVATE_KEY,
  appCertificate: APP_CERTIFICATE,
  alipayCertificate: ALIPAY_CERTIFICATE,
  alipayRootCertificate: ROOTS,
};

const parsed = (credentials: unknown) => orThrow(parseAlipayCredentials(credentials));
const problems = (credentials: unknown) =>
  parseAlipayCredentials(credentials)
    ._unsafeUnwrapErr()
    .map(({ field, reason }) => `${field} ${reason}`);
const spki = (key: KeyObject) => key.export({ type: "spki", format: "der" }).toString("base64");
const pem = (label: string, base64: string) =>
  `-----BEGIN ${label}-----\n${base64.replace(/.{64}/g, "$&\n")}\n-----END ${label}-----\n`;

describe("keys", () => {
  it("are read in every issued format", () => {
    const { appKey } = parsed(byKey);
    const forms = [
      app.pkcs1,
      app.privatePem,
      pem("RSA PRIVATE KEY", app.pkcs1),
      ` ${app.pkcs8.replace(/.{76}/g, "$&\r\n")}\n`,
      app.privatePem.replaceAll("\n", "\\n"),
      app.privatePem.replaceAll("\n", "\r\n"),
    ];
    for (const appPrivateKey of forms)
      expect(parsed({ ...byKey, appPrivateKey }).appKey.equals(appKey)).toBe(true);
    const [expected] = parsed(byKey).alipayKeys;
    for (const alipayPublicKey of [wallet.publicPem, wallet.publicPem.replaceAll("\n", "\\n")]) {
      const [key] = parsed({ ...byKey, alipayPublicKey }).alipayKeys;
      expect(expected && key?.key.equals(expected.key)).toBe(true);
    }
  });

  it("of the wallet may be several during a replacement", () => {
    for (const alipayPublicKey of [`${wallet.spki},\n${next.spki}`, wallet.publicPem + next.publicPem]) {
      const { alipayKeys } = parsed({ ...byKey, alipayPublicKey });
      expect(alipayKeys.map(({ key }) => spki(key))).toEqual([wallet.spki, next.spki]);
    }
  });

  it("that are missing are all reported, and an empty text counts as missing", () => {
    expect(problems({})).toEqual(["appPrivateKey missing", "alipayPublicKey missing"]);
    expect(problems({ appPrivateKey: " ", alipayPublicKey: wallet.spki })).toEqual(["appPrivateKey missing"]);
  });

  it("in the wrong place are distinguished from unreadable ones", () => {
    const misplaced = [
      [app.spki, "is-public-key"],
      [APP_CERTIFICATE, "several"],
      [`${app.pkcs8},${next.pkcs8}`, "several"],
      [app.pkcs8.slice(0, 400), "unreadable"],
      ["not a key", "unreadable"],
      [pem("ENCRYPTED PRIVATE KEY", app.pkcs8), "encrypted"],
      [
        pem("RSA PRIVATE KEY", `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${app.pkcs1}`),
        "encrypted",
      ],
      [newPair(1024).pkcs8, "too-short"],
    ] as const;
    for (const [appPrivateKey, reason] of misplaced)
      expect(problems({ ...byKey, appPrivateKey })).toEqual([`appPrivateKey ${reason}`]);
    const others = [
      [next.pkcs8, "is-private-key"],
      [next.pkcs1, "is-private-key"],
      [ALIPAY_CERTIFICATE, "is-certificate"],
      [`${wallet.spki},not a key`, "unreadable"],
      [newPair(1024).spki, "too-short"],
      [spki(generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey), "not-rsa"],
      [app.spki, "is-own"],
      [`${wallet.spki},${app.spki}`, "is-own"],
    ] as const;
    for (const [alipayPublicKey, reason] of others)
      expect(problems({ ...byKey, alipayPublicKey })).toEqual([`alipayPublicKey ${reason}`]);
  });

  it("are rejected if they have an unknown name or are not text", () => {
    expect(problems({ ...byKey, alipayPublickey: "x" })).toEqual(["credentials unknown-name"]);
    expect(problems({ ...byKey, appPrivateKey: 7 })).toEqual(["appPrivateKey not-text"]);
    expect(problems(undefined)).toEqual(["credentials not-text"]);
  });

  it("never appear in a problem, for any input", () => {
    const secret = fc.constantFrom(app.pkcs8, app.spki, app.privatePem, wallet.spki, APP_PRIVATE_KEY);
    const cut = fc.tuple(secret, fc.nat(200)).map(([text, start]) => text.slice(start, start + 1_000));
    const names = fc.constantFrom(
      "appPrivateKey",
      "alipayPublicKey",
      "appCertificate",
      "alipayRootCertificate",
      "odd",
    );
    fc.assert(
      fc.property(fc.dictionary(names, cut, { minKeys: 1, noNullPrototype: true }), (credentials) => {
        const words = JSON.stringify(parseAlipayCredentials(credentials));
        for (const text of Object.values(credentials))
          for (let at = 0; at + 16 <= text.length; at += 16)
            expect(words).not.toContain(text.slice(at, at + 16));
      }),
    );
  });
});

describe("certificates", () => {
  it("get the serial numbers that Alipay computes, whatever else their files contain", () => {
    const { certificates, alipayKeys } = parsed(byCertificate);
    expect(certificates).toMatchObject({ appCertSn: SNS.app, rootCertSn: SNS.root });
    expect(alipayKeys.map(({ sn }) => sn)).toEqual([SNS.alipay]);
  });

  it("of the wallet may be two during a replacement", () => {
    const { alipayKeys } = parsed({
      ...byCertificate,
      alipayCertificate: ALIPAY_CERTIFICATE + NEXT_ALIPAY_CERTIFICATE,
    });
    expect(alipayKeys.map(({ sn }) => sn)).toEqual([SNS.alipay, SNS.nextAlipay]);
  });

  it("must be complete, match the private key, and be the wallet's where required", () => {
    expect(problems({ appPrivateKey: APP_PRIVATE_KEY, appCertificate: APP_CERTIFICATE })).toEqual([
      "alipayCertificate missing",
      "alipayRootCertificate missing",
    ]);
    expect(problems({ ...byCertificate, appPrivateKey: app.pkcs8 })).toEqual(["appCertificate mismatch"]);
    expect(problems({ ...byCertificate, alipayCertificate: APP_CERTIFICATE })).toEqual([
      "alipayCertificate is-own",
    ]);
    expect(problems({ ...byCertificate, alipayCertificate: wallet.spki })).toEqual([
      "alipayCertificate is-public-key",
    ]);
    expect(problems({ ...byCertificate, alipayRootCertificate: "x" })).toEqual([
      "alipayRootCertificate unreadable",
    ]);
  });

  it("cannot be combined with a bare key, because an app has one mode", () => {
    expect(problems({ ...byCertificate, alipayPublicKey: wallet.spki })).toEqual(["credentials two-modes"]);
  });
});
