import { expect, it } from "vitest";
import { pastedNumber, searchedTexts } from "./pasted-number.js";

const NUMBER = "4200000000000000000000000002";

it.each([
  ["as it is", NUMBER],
  ["a back-tick, as in WeChat Pay's bills", `\`${NUMBER}`],
  ["a tab after it, as in Alipay's bills", `${NUMBER}\t`],
  ["an apostrophe", `'${NUMBER}`],
  ["a typographic apostrophe", `\u2019${NUMBER}`],
  ["a formula", `="${NUMBER}"`],
  ["a formula in a quoted cell", `"=""${NUMBER}"""`],
  ["quotes", `"${NUMBER}"`],
  ["Chinese quotes", `\u201C${NUMBER}\u201D`],
  ["corner brackets", `\u300C${NUMBER}\u300D`],
  ["a cell with its comma", `"'${NUMBER}",`],
  ["a full-width comma", `${NUMBER}\uFF0C`],
  ["a full-width semicolon", `${NUMBER}\uFF1B`],
  ["a full stop of a sentence", `${NUMBER}\u3002`],
  ["the end of an English sentence", `${NUMBER}.`],
  ["the end of a question", `${NUMBER}\uFF1F`],
  ["parentheses", `(${NUMBER})`],
  ["full-width parentheses", `\uFF08${NUMBER}\uFF09`],
  ["lenticular brackets", `\u3010${NUMBER}\u3011`],
  ["angle brackets", `<${NUMBER}>.`],
  ["a modifier grave accent", `\u02CB${NUMBER}`],
  ["a no-break space", `\u00A0${NUMBER}\u00A0`],
  ["a wide space", `\u3000${NUMBER}\u3000`],
  ["a line break", `${NUMBER}\r\n`],
  ["a byte order mark", `\uFEFF${NUMBER}`],
  ["a zero-width space inside", `42\u200B${NUMBER.slice(2)}`],
  ["a word joiner inside", `42\u2060${NUMBER.slice(2)}`],
  ["a soft hyphen inside", `42\u00AD${NUMBER.slice(2)}`],
  ["marks of the direction of text", `\u202A${NUMBER}\u202C`],
  ["a hidden filler", `\u3164${NUMBER}`],
  ["full-width digits", "\uFF14\uFF12" + NUMBER.slice(2)],
  ["groups of digits", `4200 ${NUMBER.slice(4)}`],
  ["groups with no-break spaces", `4200\u00A0${NUMBER.slice(4, 10)}\u202F${NUMBER.slice(10)}`],
  ["a number sign", `#${NUMBER}`],
])("finds a number with %s", (_, text) => {
  expect(pastedNumber(text)).toBe(NUMBER);
});

it.each([
  ["order-1001", "\uFF4F\uFF52\uFF44\uFF45\uFF52\uFF0D1001"],
  ["order-1001", "order\u20111001"],
  ["order-1001", "order\u20131001"],
  ["order_1/2.3:4@5+6", "order_1/2.3:4@5+6"],
  ["order(7)", "order(7)."],
  ["(a)b(c)", "(a)b(c)"],
  ["-1", "-1"],
  ["a b", " a b "],
  ["user@example.com", "user@example.com"],
  ["", " \u200B\t`'\""],
])("returns %j for %j", (number, text) => {
  expect(pastedNumber(text)).toBe(number);
});

it.each([" ", "`", ",;", ".", "(", "1 "])("searches a megabyte of %j in linear time", (part) => {
  const began = performance.now();
  pastedNumber(`a${part.repeat(2 ** 20)}a`);
  // A search that starts again at each character takes minutes.
  expect(performance.now() - began).toBeLessThan(10_000);
});

it("searches for the text itself, and for the number in it", () => {
  expect(searchedTexts("#12")).toEqual(["#12", "12"]);
  expect(searchedTexts("12")).toEqual(["12"]);
  expect(searchedTexts("")).toEqual([]);
});
