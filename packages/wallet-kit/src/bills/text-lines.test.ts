import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textLines, type TextLinesOptions } from "./text-lines.js";

async function linesOf(chunks: readonly Uint8Array[], options: Partial<TextLinesOptions> = {}) {
  async function* source() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of textLines(source(), { encoding: "utf-8", maxLength: 100, ...options }))
    lines.push(line);
  return lines;
}

describe("textLines", () => {
  it("returns the same lines for any chunks of the bytes", async () => {
    const line = fc.string({ unit: fc.constantFrom("a", "会", ",", "`", "😀"), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.array(fc.nat(9)),
        fc.constantFrom("\n", "\r\n"),
        async (lines, cuts, end) => {
          const bytes = Buffer.from(lines.map((text) => text + end).join(""));
          const chunks: Uint8Array[] = [];
          let at = 0;
          for (const length of cuts) {
            chunks.push(bytes.subarray(at, at + length));
            at += length;
          }
          expect(await linesOf([...chunks, bytes.subarray(at)])).toEqual(lines);
        },
      ),
    );
  });

  it("omits a byte order mark, and returns a last line without a line break", async () => {
    expect(await linesOf([Buffer.from("\uFEFFa\nb")])).toEqual(["a", "b"]);
    expect(await linesOf([])).toEqual([]);
  });

  it("reads GBK, and keeps a comma or line break after a broken character", async () => {
    const bytes = Uint8Array.from([0xd6, 0xd0, 0x2c, 0x81, 0x2c, 0x81, 0x0a, 0x61]);
    expect(await linesOf([bytes], { encoding: "gbk" })).toEqual(["中,\uFFFD,\uFFFD", "a"]);
  });

  it.each([
    ["12345\n6\n", ["1234", "6"]],
    ["12345", ["1234"]],
    ["1\n123456789\n6", ["1", "1234", "6"]],
    ["1234\r\n12345\r\n6", ["1234", "1234", "6"]],
    ["123456789", ["1234"]],
    ["12345\n\n6", ["1234", "", "6"]],
  ])("cuts a line that is too long, and continues after its end: %j", async (text, lines) => {
    expect(await linesOf([Buffer.from(text)], { maxLength: 4 })).toEqual(lines);
    const bytewise = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
    expect(await linesOf(bytewise, { maxLength: 4 })).toEqual(lines);
  });

  it("keeps no more of a line in memory than it returns", async () => {
    let given = 0;
    async function* endless() {
      while (given < 10_000) {
        given += 1;
        yield Buffer.alloc(1_024, "x");
      }
      yield Buffer.from("\nend");
    }
    const lines: string[] = [];
    for await (const line of textLines(endless(), { encoding: "utf-8", maxLength: 8 })) lines.push(line);
    expect(lines).toEqual(["xxxxxxxx", "end"]);
  });
});
