import { describe, expect, it } from "vitest";
import { readAnyParameters, readJsonBody, readQuery } from "./read-parameters.js";
import type { HttpRequest } from "./request.js";
import { orThrow } from "../errors/or-throw.js";

const request = (changes: Partial<HttpRequest>): HttpRequest => ({
  method: "POST",
  path: "/",
  query: "",
  headers: new Headers(),
  body: new Uint8Array(),
  ...changes,
});
const body = (text: string) => request({ body: new TextEncoder().encode(text) });

describe("readJsonBody", () => {
  it("reads a number with a fraction or an exponent as NaN, and keeps whole numbers", () => {
    const text =
      '{"a":1,"b":1.0,"c":1e2,"d":"1.0","e":{"f":1.5},"g":[1.5],"h":-3,"i":1.00000000000000000001}';
    expect(orThrow(readJsonBody(body(text)))).toEqual({
      a: 1,
      b: Number.NaN,
      c: Number.NaN,
      d: "1.0",
      e: { f: 1.5 },
      g: [1.5],
      h: -3,
      i: Number.NaN,
    });
  });

  it.each(["", "[]", "7", "null", '{"a":1', '{"a":1,"a":2}', '{"a":1,"\\u0061":2}', "{'a':1}"])(
    "rejects %s",
    (text) => {
      expect(readJsonBody(body(text))._unsafeUnwrapErr()).toEqual({ name: "request.malformed" });
    },
  );

  it("ignores braces, quotes and repeated names inside values", () => {
    const text = JSON.stringify({ a: 'x","a":1.5,{["\\', b: { a: 1, b: [{ a: 2 }] }, c: 2 });
    expect(orThrow(readJsonBody(body(text)))).toEqual(JSON.parse(text));
  });

  it("rejects bytes that are not UTF-8", () => {
    expect(readJsonBody(request({ body: Uint8Array.of(0x22, 0xff, 0x22) })).isErr()).toBe(true);
  });

  it("reports that the body is too large", () => {
    expect(readJsonBody(request({ body: "too-large" }))._unsafeUnwrapErr()).toEqual({
      name: "request.too-large",
    });
  });
});

describe("readQuery", () => {
  it("reads a parameter called __proto__ like any other, and rejects it if it occurs twice", () => {
    const read = orThrow(readQuery(request({ query: "__proto__=a&b=c" })));
    expect(Object.entries(read)).toEqual([
      ["__proto__", "a"],
      ["b", "c"],
    ]);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(readQuery(request({ query: "__proto__=a&__proto__=a" })).isErr()).toBe(true);
  });

  it("decodes once", () => {
    expect(orThrow(readQuery(request({ query: "a=%2525&b=x+y%2B&c=&d" })))).toEqual({
      a: "%25",
      b: "x y+",
      c: "",
      d: "",
    });
  });

  it.each(["a=1&a=2", "a=%zz", "a=%ff"])("rejects %s", (query) => {
    expect(readQuery(request({ query })).isErr()).toBe(true);
  });
});

describe("readAnyParameters", () => {
  const form = new Headers({ "content-type": "application/x-www-form-urlencoded; charset=utf-8" });
  const encoded = new TextEncoder().encode("mobileNo=%2B8613800138000&authCode=123456");

  it("reads a form, JSON and the query alike", () => {
    const expected = { mobileNo: "+8613800138000", authCode: "123456" };
    expect(orThrow(readAnyParameters(request({ headers: form, body: encoded })))).toEqual(expected);
    expect(orThrow(readAnyParameters(body(JSON.stringify(expected))))).toEqual(expected);
    expect(
      orThrow(readAnyParameters(request({ query: "mobileNo=%2B8613800138000&authCode=123456" }))),
    ).toEqual(expected);
  });

  it("rejects a parameter that occurs in two places", () => {
    expect(readAnyParameters(request({ headers: form, body: encoded, query: "authCode=1" })).isErr()).toBe(
      true,
    );
  });
});
