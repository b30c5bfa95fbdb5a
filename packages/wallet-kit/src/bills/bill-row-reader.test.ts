import { orThrow } from "@tillkit/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { billRowReader } from "./bill-row-reader.js";

const HEADER = ["time", "number", "title", "note", "amount", "rate", "remark"];
const form = {
  names: { number: "number", amount: "amount" },
  free: ["title", "note", "remark"],
  patterns: { time: /^\d\d:\d\d$/, number: /^[A-Z]\d+$/, amount: /^\d+\.\d\d$/, rate: /^\d+%$/ },
} as const;
const read = orThrow(billRowReader(HEADER, form));
const row = (title: string, note = "", remark = "") =>
  ["10:00", "A1", title, note, "1.00", "6%", remark].join(",").split(",");

describe("billRowReader", () => {
  it("reports a missing or repeated column", () => {
    expect(billRowReader(["number"], form)._unsafeUnwrapErr()).toBe("the column amount is missing");
    expect(billRowReader([...HEADER, "number"], form)._unsafeUnwrapErr()).toBe(
      "the column number occurs twice",
    );
  });

  it("reads a row with as many fields as columns by position, for any values", () => {
    const fields = orThrow(read(["x", "y", "", "", "z", "", ""]));
    expect([fields("number"), fields("amount")]).toEqual(["y", "z"]);
  });

  it("reads a row whose free text has separators, by the columns before and after the text", () => {
    for (const texts of [
      row("a,b"),
      row("a,b,c", "d,e", "f,g"),
      row("2.00,3.00"),
      row(",,,"),
      row("", "", "a,b"),
    ]) {
      const fields = orThrow(read(texts));
      expect([fields("number"), fields("amount")]).toEqual(["A1", "1.00"]);
    }
  });

  it("does not read an ambiguous row, and returns its certain fields", () => {
    const problem = read(row("a,b,9.99,6%"))._unsafeUnwrapErr();
    expect(problem.problem).toBe("its fields can be assigned to the columns in more than one way");
    expect([problem.known("number"), problem.known("amount")]).toEqual(["A1", undefined]);
  });

  it("reads a row that can be split in two ways with the same result", () => {
    expect(orThrow(read(row("a,b,1.00,6%")))("amount")).toBe("1.00");
  });

  it("does not read a row with too few fields, or with fields that match the columns in no way", () => {
    const short = read(["10:00", "A1", "title"])._unsafeUnwrapErr();
    expect([short.problem, short.known("number")]).toEqual(["it has 3 fields instead of 7", "A1"]);
    // The last field may be truncated.
    expect(read(["10:00", "A1"])._unsafeUnwrapErr().known("number")).toBeUndefined();
    const odd = read(["10 o'clock", "A1", "a", "b", "c", "d", "e", "f"])._unsafeUnwrapErr();
    expect([odd.problem, odd.known("number")]).toEqual(["it has 8 fields instead of 7", undefined]);
  });

  it("uses no pattern for a column named like a built-in object member", () => {
    const odd = orThrow(billRowReader(["constructor", ...HEADER], form));
    expect(orThrow(odd(["x", ...row("a,b")]))("amount")).toBe("1.00");
  });

  it("terminates for a row of only separators", () => {
    expect(read(Array.from({ length: 16_000 }, () => "")).isErr()).toBe(true);
  });

  it("never returns a text that differs from the written one", () => {
    const text = fc.array(fc.constantFrom("a", ",", "1.00", "9.99", "6%", "A1", "10:00"), { maxLength: 8 });
    fc.assert(
      fc.property(text, text, text, (title, note, remark) => {
        const fields = read(row(title.join(""), note.join(""), remark.join("")));
        if (fields.isErr()) {
          const { known } = fields.error;
          expect(["A1", undefined]).toContain(known("number"));
          expect(["1.00", undefined]).toContain(known("amount"));
        } else {
          expect([fields.value("number"), fields.value("amount")]).toEqual(["A1", "1.00"]);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
