import { describe, expect, it } from "vitest";
import { csvLine, readable } from "./csv.js";

describe("csvLine", () => {
  it("separates cells by commas, and ends the line with CR and LF", () => {
    expect(csvLine(["app_1", 600, undefined, "月卡"])).toBe("app_1,600,,月卡\r\n");
    expect(csvLine([])).toBe("\r\n");
  });

  it.each([
    ["a,b", '"a,b"'],
    ["a;b", '"a;b"'],
    ["a\tb", '"a\tb"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\r\nlines", '"two\r\nlines"'],
    ["two\nlines", '"two\nlines"'],
    [" kept ", " kept "],
  ])("quotes a cell only if it contains a special character: %j", (cell, expected) => {
    expect(csvLine([cell])).toBe(`${expected}\r\n`);
  });

  it.each(["=1+1", "\t=1", "\u202e@x", "4200000000000000000000000002", "00123", "1E5", "3-4"])(
    "writes an apostrophe before %j",
    (cell) => {
      expect(csvLine(["x", cell])).toBe(`x,"'${cell}"\r\n`);
    },
  );

  it("writes a readable number or day unchanged", () => {
    expect(csvLine([readable("1234.50"), readable("2026-11-27")])).toBe("1234.50,2026-11-27\r\n");
  });

  it("escapes quotes in a formula", () => {
    expect(csvLine(['=HYPERLINK("http://x","y")'])).toBe(`"'=HYPERLINK(""http://x"",""y"")"\r\n`);
  });

  it("does not change a formula character elsewhere in the cell, or a number", () => {
    expect(csvLine(["a=b", "a-b", -1, 0])).toBe("a=b,a-b,-1,0\r\n");
  });
});
