import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rawMembers } from "./raw-members.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (member: Uint8Array | undefined) => member && new TextDecoder().decode(member);

/** JSON in different notations: escaped slashes, escaped letters, spaces, line breaks. */
const written = fc.json({ maxDepth: 3 }).chain((json) => {
  const escaped = JSON.stringify(JSON.parse(json)).replaceAll("/", "\\/");
  const wide = escaped.replace(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const spaced = JSON.stringify(JSON.parse(json), null, "\t");
  return fc.constantFrom(json, escaped, wide, spaced);
});
const space = fc.constantFrom("", " ", "\n", "\r\n\t ");

describe("rawMembers", () => {
  it("returns every member as it was written, with any surrounding text", () => {
    const members = fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), written, {
      minKeys: 1,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(members, space, (object, gap) => {
        const inner = Object.entries(object).map(([name, value]) => `"${name}"${gap}:${gap}${value}${gap}`);
        const found = rawMembers(bytes(`${gap}{${gap}${inner.join(`,${gap}`)}}${gap}`));
        expect([...(found ?? [])].map(([name, member]) => [name, textOf(member)])).toEqual(
          Object.entries(object),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("ignores braces, quotes and names inside texts", () => {
    const node = String.raw`{"subject":"}\"{,\"sign\":\"x\\","list":[{"a":"]"}]}`;
    const members = rawMembers(bytes(`{"node":${node},"sign":"s"}`));
    expect(textOf(members?.get("node"))).toBe(node);
    expect(textOf(members?.get("sign"))).toBe('"s"');
  });

  it("keeps the bytes of a text that is not UTF-8", () => {
    const node = Uint8Array.of(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc4, 0xe3, 0x22, 0x7d);
    const source = Uint8Array.of(...bytes('{"node":'), ...node, ...bytes(',"sign":"s"}'));
    expect(rawMembers(source)?.get("node")).toEqual(node);
  });

  it("finds the end of a text in GBK, also if a character contains the byte of a backslash", () => {
    // 誠 is D5 5C in GBK.
    const node = Uint8Array.of(...bytes('{"a":"'), 0xd5, 0x5c, ...bytes('","b":"}"}'));
    const source = Uint8Array.of(...bytes('{"node":'), ...node, ...bytes(',"sign":"s"}'));
    expect(rawMembers(source)?.get("node")).toEqual(node);
    expect(textOf(rawMembers(source)?.get("sign"))).toBe('"s"');
  });

  it("rejects an object that has a repeated member or trailing text, or that ends early", () => {
    const whole = '{"node":{"a":"1"},"sign":"s"}';
    for (const text of [
      '{"a":1,"a":2}',
      `${whole}x`,
      `${whole}{}`,
      "[]",
      '"a"',
      "",
      "{}",
      "<html>",
      "{a:1}",
      '{"a":}',
    ])
      expect(rawMembers(bytes(text)), text).toBeUndefined();
    for (let length = 0; length < whole.length; length += 1)
      expect(rawMembers(bytes(whole.slice(0, length))), whole.slice(0, length)).toBeUndefined();
  });

  it("returns a result for any bytes", () => {
    const noise = fc
      .array(fc.constantFrom("{", "}", "[", "]", '"', ",", ":", "\\", " ", "a", "1"), { maxLength: 40 })
      .map((list) => bytes(list.join("")));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), noise), (source) => {
        const members = rawMembers(source);
        expect(members === undefined || members.size > 0).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
