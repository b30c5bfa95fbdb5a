import { inspect } from "node:util";
import { orThrow } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import * as keys from "../testing/keys.js";
import { textContaining } from "../testing/text-containing.js";
import type { WechatPayCredentialProblem } from "./credential-problem.js";
import { parseWechatPayCredentials } from "./parse-credentials.js";

const { credentials } = keys;

function problemsOf(
  changes: Readonly<Record<string, string | undefined>>,
): readonly Pick<WechatPayCredentialProblem, "field" | "problem">[] {
  const changed = Object.entries({ ...credentials, ...changes });
  const texts = Object.fromEntries(
    changed.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
  const read = parseWechatPayCredentials(texts);
  if (read.isOk()) throw new Error("Expected problems.");
  for (const { problemZh } of read.error) expect(problemZh).toMatch(/\p{Script=Han}/u);
  return read.error.map(({ field, problem }) => ({ field, problem }));
}

const platformKeys = (texts: Readonly<Record<string, unknown>>) => JSON.stringify(texts);

describe("parseWechatPayCredentials", () => {
  it("reads everything that WeChat Pay issues", () => {
    const read = orThrow(parseWechatPayCredentials(credentials));
    expect(read.merchantKey.equals(keys.merchant.privateKey)).toBe(true);
    expect(read.merchantSerialNo).toBe(keys.MERCHANT_SERIAL);
    expect(read.apiV3Key.export().toString()).toBe(keys.API_V3_KEY);
    expect([...read.platformKeys.keys()]).toEqual([keys.PLATFORM_SERIAL, keys.MODERN_ID]);
  });

  it("reads the serial number from the certificate, or works without a certificate", () => {
    const { merchantSerialNo: _no, ...certified } = credentials;
    expect(orThrow(parseWechatPayCredentials(certified)).merchantSerialNo).toBe(keys.MERCHANT_SERIAL);
    const { merchantCertificate: _certificate, ...numbered } = credentials;
    const spelt = keys.MERCHANT_SERIAL.toLowerCase().replaceAll(/(..)(?=.)/g, "$1:");
    const read = orThrow(parseWechatPayCredentials({ ...numbered, merchantSerialNo: spelt }));
    expect(read.merchantSerialNo).toBe(keys.MERCHANT_SERIAL);
    expect(read.merchantCertificate).toBeUndefined();
  });

  it("contains no key when it is printed", () => {
    const printed = inspect(parseWechatPayCredentials(credentials), { depth: 9, showHidden: true });
    expect(printed).not.toContain(keys.API_V3_KEY);
    expect(printed).not.toContain("BEGIN PRIVATE KEY");
  });

  it("reports everything that is missing", () => {
    const read = parseWechatPayCredentials({});
    const problems = read._unsafeUnwrapErr();
    expect(problems.map(({ field }) => field)).toEqual(["merchantPrivateKey", "apiV3Key", "platformKeys"]);
    for (const { problem } of problems) expect(problem).toMatch(/^is missing; (paste|set)/);
    expect(problemsOf({ merchantSerialNo: undefined, merchantCertificate: undefined })).toEqual([
      { field: "merchantSerialNo", problem: textContaining(/^is missing; set/) },
    ]);
  });

  it("reports every invalid value, and repeats none of it", () => {
    const garbage = Object.fromEntries(Object.keys(credentials).map((name) => [name, "secret-garbage"]));
    const problems = parseWechatPayCredentials(garbage)._unsafeUnwrapErr();
    expect(problems.map(({ field }) => field)).toEqual(Object.keys(credentials));
    expect(JSON.stringify(problems)).not.toContain("secret-garbage");
  });

  it("reports an invalid key name, and does not repeat it", () => {
    expect(problemsOf({ apiv3Key: "x" })).toEqual([
      {
        field: "credentials",
        problem: textContaining(
          /^have an unknown field; the known fields are merchantPrivateKey, .*appSecret$/,
        ),
      },
    ]);
  });

  it("reports a certificate of another key", () => {
    expect(problemsOf({ merchantPrivateKey: keys.pemOf(keys.stranger.privateKey) })).toEqual([
      {
        field: "merchantCertificate",
        problem: textContaining(/^is not the certificate of merchantPrivateKey/),
      },
    ]);
  });

  it("reports a serial number of another certificate", () => {
    expect(problemsOf({ merchantSerialNo: keys.PLATFORM_SERIAL })).toEqual([
      { field: "merchantSerialNo", problem: textContaining(keys.MERCHANT_SERIAL) },
    ]);
  });

  it("reports the merchant's own key in place of WeChat Pay's", () => {
    const own = platformKeys({ [keys.MODERN_ID]: keys.pemOf(keys.merchant.publicKey) });
    expect(problemsOf({ platformKeys: own })).toEqual([
      {
        field: "platformKeys",
        problem: textContaining(/^PUB_KEY_ID_\w+ is the merchant's own key; paste/),
      },
    ]);
  });

  it("accepts only an APIv3 key of 32 visible ASCII characters", () => {
    for (const apiV3Key of [
      "",
      keys.API_V3_KEY.slice(1),
      `${keys.API_V3_KEY}0`,
      "会".repeat(32),
      " ".repeat(32),
    ])
      expect(problemsOf({ apiV3Key })).toEqual([
        { field: "apiV3Key", problem: textContaining(/^is not 32 visible ASCII characters; paste/) },
      ]);
  });

  it("accepts only a serial number of hexadecimal digits", () => {
    for (const merchantSerialNo of ["", "1234567", "xyz", "0".repeat(65)])
      expect(problemsOf({ merchantSerialNo })[0]).toMatchObject({ field: "merchantSerialNo" });
  });

  it.each([
    [{ merchantPrivateKey: "" }, "unreadable"],
    [{ merchantPrivateKey: undefined }, "missing"],
    [{ merchantCertificate: keys.pemOf(keys.merchant.publicKey) }, "unreadable"],
    [{ merchantPrivateKey: keys.pemOf(keys.merchant.publicKey) }, "is-public-key"],
    [{ merchantPrivateKey: keys.pemOf(keys.stranger.privateKey) }, "mismatch"],
    [{ platformKeys: platformKeys({ [keys.MODERN_ID]: keys.pemOf(keys.merchant.publicKey) }) }, "is-own"],
    [{ platformKeys: "{}" }, "missing"],
    [{ apiV3Key: "short" }, "malformed"],
    [{ fundsAccount: "available" }, "malformed"],
    [{ fundsAccount: "" }, "malformed"],
    [{ apiv3Key: "x" }, "unknown-name"],
  ])("gives each problem a code: %o", (changes: Readonly<Record<string, string | undefined>>, code) => {
    const changed = Object.entries({ ...credentials, ...changes });
    const texts = Object.fromEntries(
      changed.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
    );
    const problems = parseWechatPayCredentials(texts)._unsafeUnwrapErr();
    expect(problems.map((problem) => problem.code)).toEqual([code]);
  });

  it("describes the problems of platformKeys", () => {
    const pem = keys.pemOf(keys.modern.publicKey);
    const cases = [
      ["[]", /^is not JSON text of an object/],
      ["null", /^is not JSON text of an object/],
      [pem, /^is not JSON text of an object/],
      [platformKeys({ [keys.MODERN_ID]: 1 }), /^is not JSON text of an object with string values/],
      ["{}", /^has no key; add/],
      [platformKeys({ key: pem }), /^has a name that is neither PUB_KEY_ID_… nor a serial number/],
      [
        platformKeys({ [keys.MODERN_ID]: "x" }),
        /^PUB_KEY_ID_\w+ is neither a public key nor a certificate; paste/,
      ],
      [
        platformKeys({ [keys.MERCHANT_SERIAL]: keys.platformCertificate }),
        /contains the certificate 5157F09E/,
      ],
    ] as const;
    for (const [text, words] of cases)
      expect(problemsOf({ platformKeys: text })).toEqual([
        { field: "platformKeys", problem: textContaining(words) },
      ]);
  });
});
