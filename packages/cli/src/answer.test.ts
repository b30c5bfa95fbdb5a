import { expect, it } from "vitest";
import { plainText, table } from "./answer.js";

it("makes columns as wide as a terminal shows their texts", () => {
  const rows = [
    ["会员月卡", "30"],
    ["Month", "31"],
    ["e\u0301te\u0301", "32"],
    ["👨‍👩‍👧 family", "33"],
    ["ﾒﾝﾊﾞｰ", "34"],
  ];
  expect(plainText(table(["NAME", "DAYS"], rows)).split("\n")).toEqual([
    "NAME       DAYS",
    "会员月卡   30",
    "Month      31",
    "e\u0301te\u0301        32",
    "👨‍👩‍👧 family  33",
    "ﾒﾝﾊﾞｰ      34",
  ]);
});

it("keeps a row in one line, and makes its columns as wide as the printed text", () => {
  expect(plainText(table(["A", "B"], [["x\ny", "z"]]))).toBe("A         B\nx\\u000ay  z");
});

it("prints only the titles if there are no rows", () => {
  expect(plainText(table(["A", "B"], []))).toBe("A  B");
  expect(plainText(["List:", table(["A", "B"], [], "Nothing."), "End"])).toBe("List:\nNothing.\nEnd");
});
