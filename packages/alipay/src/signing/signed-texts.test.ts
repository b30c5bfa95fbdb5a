import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readForm } from "../notifications/read-form.js";
import { formText, notificationTexts, requestText } from "./signed-texts.js";
import { NOTIFICATION, REQUEST } from "../testing/vectors.js";

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");
const bytes = (text: string) => new TextEncoder().encode(text);

const name = fc.stringMatching(/^[a-z_]{1,8}$/);
const parameters = fc.dictionary(name, fc.string({ unit: "binary" }), { noNullPrototype: true });

describe("requestText", () => {
  it("equals the text of the fixed vector, with sign_type and without sign and empty values", () => {
    expect(sha256(requestText(REQUEST.parameters))).toBe(REQUEST.sha256);
  });

  it("changes with every byte of a value, and with its name", () => {
    const other = { ...REQUEST.parameters, notify_url: "https://svc.example/notify/alipax" };
    expect(sha256(requestText(other))).not.toBe(REQUEST.sha256);
    expect(requestText({ a: "1", b: "2" })).not.toBe(requestText({ a: "2", b: "1" }));
  });

  it("does not depend on the order of the parameters", () => {
    fc.assert(
      fc.property(parameters, (form) => {
        const reversed = Object.fromEntries(Object.entries(form).reverse());
        expect(requestText(reversed)).toBe(requestText(form));
      }),
    );
  });

  it("contains each non-empty parameter once, unchanged, sorted by bytes", () => {
    fc.assert(
      fc.property(parameters, (form) => {
        const names = Object.keys(form).filter((key) => key !== "sign" && form[key] !== "");
        names.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
        expect(requestText(form)).toBe(names.map((key) => `${key}=${form[key] ?? ""}`).join("&"));
      }),
    );
  });
});

describe("notificationTexts", () => {
  const form = readForm(bytes(NOTIFICATION.body)) ?? {};

  it("starts with the text of the fixed vector, for any sign_type and sign", () => {
    const [text = ""] = notificationTexts({ ...form, sign: "x", sign_type: "RSA" });
    expect(sha256(Buffer.from(text, "latin1"))).toBe(NOTIFICATION.sha256);
  });

  it("returns one text, and further ones if a value is empty or the form has alipay_cert_sn", () => {
    expect([...notificationTexts(form)]).toHaveLength(1);
    expect([...notificationTexts({ a: "1", b: "" })]).toEqual(["a=1", "a=1&b="]);
    expect([...notificationTexts({ a: "1", b: "", alipay_cert_sn: "s" })]).toEqual([
      "a=1&alipay_cert_sn=s",
      "a=1&alipay_cert_sn=s&b=",
      "a=1",
    ]);
  });
});

/** Decodes a form that has one character per byte. */
function utf8Of(form: Readonly<Record<string, string>> = {}) {
  const decoded = (text: string) => Buffer.from(text, "latin1").toString("utf8");
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [decoded(name), decoded(value)]));
}

describe("readForm", () => {
  it("parses what formText wrote", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(
      fc.property(fc.dictionary(text, text, { minKeys: 1, noNullPrototype: true }), (form) => {
        expect(utf8Of(readForm(bytes(formText(form))))).toEqual(form);
      }),
    );
  });

  it("decodes once", () => {
    expect(readForm(bytes("subject=100%25+%2525&body=a%2Bb"))).toEqual({ subject: "100% %25", body: "a+b" });
  });

  it("rejects a repeated parameter in any spelling, and an invalid form", () => {
    for (const body of ["a=1&a=1", "a=1&%61=2", "a", "", "=1", "a=%zz", "a=%f", "a=1&"])
      expect(readForm(bytes(body)), body).toBeUndefined();
  });

  it("returns the bytes of any charset, escaped or not", () => {
    const form = Uint8Array.of(...bytes("a=%C4%E3&b="), 0xc4, 0xe3);
    expect(readForm(form)).toEqual({ a: "\u00c4\u00e3", b: "\u00c4\u00e3" });
  });

  it("accepts 256 parameters and not one more", () => {
    const form = (count: number) => bytes(Array.from({ length: count }, (_, nth) => `p${nth}=1`).join("&"));
    expect(Object.keys(readForm(form(256)) ?? {})).toHaveLength(256);
    expect(readForm(form(257))).toBeUndefined();
  });

  it("returns a result for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (body) => {
        const form = readForm(body);
        expect(form === undefined || typeof form === "object").toBe(true);
      }),
    );
  });
});
