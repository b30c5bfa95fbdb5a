import { describe, expect, it } from "vitest";
import { decodeText, encodingProblem } from "./decode-text.js";
import { orThrow } from "../errors/or-throw.js";

const TEXT = '{ "名": "x" }\r\n';

/** Encodes a text in 16 or 32 bits per unit. */
function wide(text: string, bytes: 2 | 4, bigEndian: boolean): Uint8Array {
  const out = new Uint8Array(text.length * bytes);
  const view = new DataView(out.buffer);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (bytes === 2) view.setUint16(index * 2, unit, !bigEndian);
    else view.setUint32(index * 4, unit, !bigEndian);
  }
  return out;
}

describe("decodeText", () => {
  it.each([
    ["UTF-8", new TextEncoder().encode(TEXT)],
    ["UTF-8 with a byte order mark", new TextEncoder().encode(`\ufeff${TEXT}`)],
  ])("reads %s", (_encoding, bytes) => {
    expect(orThrow(decodeText(bytes))).toBe(TEXT);
  });

  it("reads an empty file, and keeps a mark inside the text", () => {
    expect(orThrow(decodeText(new Uint8Array()))).toBe("");
    expect(orThrow(decodeText(new TextEncoder().encode("a\ufeff")))).toBe("a\ufeff");
  });

  it.each([
    ["little-endian UTF-16 with a mark", wide(`\ufeff${TEXT}`, 2, false), "is UTF-16: save it as UTF-8"],
    ["big-endian UTF-16 with a mark", wide(`\ufeff${TEXT}`, 2, true), "is UTF-16: save it as UTF-8"],
    ["UTF-16 of Chinese text with a mark", wide("\ufeff商店,日期", 2, false), "is UTF-16"],
    ["little-endian UTF-16 without a mark", wide(TEXT, 2, false), "is UTF-16: save it as UTF-8"],
    ["big-endian UTF-16 without a mark", wide(TEXT, 2, true), "is UTF-16: save it as UTF-8"],
    ["little-endian UTF-32", wide(`\ufeff${TEXT}`, 4, false), "is UTF-32: save it as UTF-8"],
    ["big-endian UTF-32", wide(`\ufeff${TEXT}`, 4, true), "is UTF-32: save it as UTF-8"],
    ["UTF-32 without a mark", wide(TEXT, 4, false), "is UTF-32: save it as UTF-8"],
    ["GB 18030", new Uint8Array([0x7b, 0x22, 0xc3, 0xfb, 0x22]), "is not UTF-8: save it as UTF-8"],
    ["bytes that a crash left", new Uint8Array(8), "begins with zero bytes"],
    ["gzip", new Uint8Array([0x1f, 0x8b, 8, 0, 0]), "is compressed by gzip: decompress it first"],
    ["a ZIP archive", new Uint8Array([0x50, 0x4b, 3, 4, 0]), "is a ZIP archive: unpack it first"],
  ])("reports %s", (_encoding, bytes, problem) => {
    expect(decodeText(bytes)._unsafeUnwrapErr()).toContain(problem);
  });
});

describe("encodingProblem", () => {
  it("returns undefined for the beginning of UTF-8", () => {
    for (const text of ["", "{", "a,b", "商", "\ufeff{}"])
      expect(encodingProblem(new TextEncoder().encode(text))).toBeUndefined();
  });
});
