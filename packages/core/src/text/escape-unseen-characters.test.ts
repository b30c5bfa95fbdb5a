import { expect, it } from "vitest";
import { visible, visibleLine } from "./escape-unseen-characters.js";

it.each([
  ["\u001b[2Jgone", "\\u001b[2Jgone"],
  ["a\rb\u0000c\u007fd\u009b2J", "a\\u000db\\u0000c\\u007fd\\u009b2J"],
  ["\u202egnp.exe\u2066x", "\\u202egnp.exe\\u2066x"],
  ["a\u2028b\u2029c", "a\\u2028b\\u2029c"],
  ["\ufeffx\u200by\u{e0041}", "\\ufeffx\\u200by\\udb40\\udc41"],
  ["\ud800", "\\ud800"],
  ["会员 é 👨‍👩‍👧 a\u200cb \\u001b", "会员 é 👨‍👩‍👧 a\u200cb \\u001b"],
])("shows %j as %j", (text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(visibleLine(text)).toBe(shown);
});

it("escapes line feeds and tabs of a line, and keeps those of a text", () => {
  expect(visibleLine("a\nb\tc")).toBe("a\\u000ab\\u0009c");
  expect(visible("a\nb\tc\n")).toBe("a\nb\tc\n");
});

it("does not change the value of a JSON text", () => {
  const value = { "\u009b": "\u001b[0m\u2028\u202e\u{e0041}\n\ud800" };
  expect(JSON.parse(visible(JSON.stringify(value, undefined, 2)))).toEqual(value);
});
