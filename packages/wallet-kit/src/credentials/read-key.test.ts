import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { orThrow } from "@tillkit/core";
import type { Result } from "neverthrow";
import { describe, expect, it } from "vitest";
import { type KeyFault, readCertificates, readPrivateKey, readPublicKeys } from "./read-key.js";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pemOf = (key: KeyObject) =>
  key.export({ format: "pem", type: key.type === "private" ? "pkcs8" : "spki" }).toString();
const faultOf = (read: Result<unknown, KeyFault>) => read._unsafeUnwrapErr();

describe("readPrivateKey", () => {
  it("parses one private key", () => {
    expect(orThrow(readPrivateKey(pemOf(privateKey))).equals(privateKey)).toBe(true);
  });

  it.each([
    ["", "unreadable"],
    ["no key", "unreadable"],
    [pemOf(privateKey) + pemOf(privateKey), "several"],
    [
      privateKey.export({ format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "x" }).toString(),
      "encrypted",
    ],
    [pemOf(publicKey), "is-public-key"],
    [pemOf(curve.privateKey), "not-rsa"],
    [pemOf(weak.privateKey), "too-short"],
  ])("reports a fault, case %#", (text, fault) => {
    expect(faultOf(readPrivateKey(text))).toBe(fault);
  });
});

describe("readPublicKeys", () => {
  it("parses several public keys, in their order", () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
    const keys = orThrow(readPublicKeys(pemOf(publicKey) + pemOf(other)));
    expect(keys.map((key) => key.equals(publicKey))).toEqual([true, false]);
    expect(keys).toHaveLength(2);
  });

  it.each([
    ["", "unreadable"],
    [pemOf(privateKey), "is-private-key"],
    [pemOf(publicKey) + pemOf(privateKey), "is-private-key"],
    [pemOf(curve.publicKey), "not-rsa"],
    [pemOf(weak.publicKey), "too-short"],
  ])("reports a fault, case %#", (text, fault) => {
    expect(faultOf(readPublicKeys(text))).toBe(fault);
  });
});

describe("readCertificates", () => {
  it.each([
    ["", "unreadable"],
    ["bm8ga2V5", "unreadable"],
    [pemOf(privateKey), "is-private-key"],
    [pemOf(publicKey), "is-public-key"],
  ])("reports a fault, case %#", (text, fault) => {
    expect(faultOf(readCertificates(text))).toBe(fault);
  });
});
