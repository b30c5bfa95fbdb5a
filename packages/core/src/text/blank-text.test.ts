import { expect, it } from "vitest";
import { isBlank } from "./blank-text.js";

it.each([
  "",
  " ",
  "\t\n",
  "\u00a0",
  "\u1680\u2000\u200a\u2028\u202f\u205f\u3000",
  "\u200b\u200c\u200d\u2060\ufeff",
  "\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e",
  "\u2800\u3164\uffa0\ufe0f",
  "\u{e0020}\u{1d173}",
  " \u0301 ",
])("%j is blank", (text) => {
  expect(isBlank(text)).toBe(true);
});

it.each(["a", " a ", "一", "\u200b.\u200b", "👩‍👧", "น้ำ", "é", "·"])("%j is not blank", (text) => {
  expect(isBlank(text)).toBe(false);
});
