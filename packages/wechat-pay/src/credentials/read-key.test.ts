import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { orThrow } from "@tillkit/core";
import type { Result } from "neverthrow";
import { describe, expect, it } from "vitest";
import {
  newPair,
  MERCHANT_SERIAL,
  merchant,
  merchantCertificate,
  pemOf,
  PLATFORM_SERIAL,
} from "../testing/keys.js";
import { platform, platformCertificate } from "../testing/keys.js";
import type { ProblemText } from "./credential-problem.js";
import { certificateOf, privateKeyOf, publicKeyOf } from "./read-key.js";

const { privateKey, publicKey } = merchant;
const text = (key: KeyObject, type: "pkcs1" | "pkcs8" | "spki") =>
  key.export({ format: "pem", type }).toString();
const bare = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, "");
const oneLine = (pem: string) => pem.trim().replaceAll("\n", " ");
const writtenOut = (pem: string) => pem.replaceAll("\n", "\\n");
const windows = (pem: string) => pem.replaceAll("\n", "\r\n");
const indented = (pem: string) => `\n  ${pem.replaceAll("\n", "\n  ")}`;
const shapes = { unchanged: (pem: string) => pem, oneLine, writtenOut, windows, indented, bare };

function problem(read: Result<unknown, ProblemText>): string {
  if (read.isOk()) throw new Error("Expected a problem.");
  expect(read.error.zh).toMatch(/\p{Script=Han}/u);
  return read.error.en;
}

describe.each(Object.entries(shapes))("a key %s", (_shape, shaped) => {
  it("is loaded from PKCS#8 and PKCS#1", () => {
    for (const type of ["pkcs8", "pkcs1"] as const) {
      const read = privateKeyOf(shaped(text(privateKey, type)));
      expect(orThrow(read).equals(privateKey), type).toBe(true);
    }
  });

  it("is loaded from SPKI, PKCS#1 and a certificate", () => {
    for (const pem of [text(publicKey, "spki"), text(publicKey, "pkcs1")]) {
      const read = orThrow(publicKeyOf(shaped(pem)));
      expect(read.key.equals(publicKey)).toBe(true);
      expect(read.certificate).toBeUndefined();
    }
    const read = orThrow(publicKeyOf(shaped(platformCertificate)));
    expect(read.key.equals(platform.publicKey)).toBe(true);
    expect(read.certificate?.serialNumber).toBe(PLATFORM_SERIAL);
    expect(orThrow(certificateOf(shaped(merchantCertificate))).serialNumber).toBe(MERCHANT_SERIAL);
  });
});

describe("a text that is not a usable key", () => {
  const weak = newPair(1024);
  const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const locked = privateKey.export({ format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "x" });
  const lockedOld = privateKey.export({
    format: "pem",
    type: "pkcs1",
    cipher: "aes-256-cbc",
    passphrase: "x",
  });

  it("is reported if a private key is expected", () => {
    expect(problem(privateKeyOf(""))).toMatch(/^is not a private key; paste/);
    expect(problem(privateKeyOf("secret-garbage"))).toMatch(/^is not a private key; paste/);
    expect(problem(privateKeyOf(pemOf(privateKey).slice(0, 400)))).toMatch(/^is not a private key; paste/);
    expect(problem(privateKeyOf(pemOf(publicKey)))).toMatch(/^is a public key; paste/);
    expect(problem(privateKeyOf(merchantCertificate))).toMatch(/^is a certificate, .*; paste/);
    expect(problem(privateKeyOf(locked.toString()))).toMatch(/^is protected by a password; paste/);
    expect(problem(privateKeyOf(lockedOld.toString()))).toMatch(/^is protected by a password; paste/);
    expect(problem(privateKeyOf(pemOf(weak.privateKey)))).toMatch(/^is an RSA key of less than 2048 bits/);
    expect(problem(privateKeyOf(pemOf(curve.privateKey)))).toMatch(/^is not an RSA key/);
    const twice = pemOf(privateKey) + pemOf(privateKey);
    expect(problem(privateKeyOf(twice))).toMatch(/^contains several keys; paste/);
  });

  it("is reported if a public key is expected", () => {
    expect(problem(publicKeyOf(""))).toMatch(/^is neither a public key nor a certificate; paste/);
    expect(problem(publicKeyOf("secret-garbage"))).toMatch(/^is neither/);
    expect(problem(publicKeyOf(pemOf(privateKey)))).toMatch(
      /^is a private key; paste WeChat Pay's public key/,
    );
    expect(problem(publicKeyOf(pemOf(weak.publicKey)))).toMatch(/^is an RSA key of less than 2048 bits/);
    expect(problem(publicKeyOf(pemOf(curve.publicKey)))).toMatch(/^is not an RSA key/);
  });

  it("is reported if a certificate is expected", () => {
    for (const wrong of ["", "secret-garbage", pemOf(publicKey), merchantCertificate.slice(0, 500)])
      expect(problem(certificateOf(wrong))).toMatch(/^is not a certificate; paste/);
  });

  it("is recognised without a PEM header", () => {
    expect(problem(privateKeyOf(bare(pemOf(publicKey))))).toMatch(/^is a public key/);
    for (const type of ["pkcs8", "pkcs1"] as const)
      expect(problem(publicKeyOf(bare(text(privateKey, type))))).toMatch(/^is a private key/);
  });
});
