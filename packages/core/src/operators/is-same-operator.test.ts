import fc from "fast-check";
import { expect, it } from "vitest";
import { isSameOperator, operatorNameKey } from "./is-same-operator.js";

it.each([
  ["han", " Ｈan"],
  ["straße", "STRAẞE"],
  ["straße", "STRASSE"],
  ["οδός", "ΟΔΌΣ"],
  ["μαΐα", "ΜΑΪ́Α"],
])("%s and %s are one person", (left, right) => {
  expect(isSameOperator(left, right)).toBe(true);
});

it.each([
  ["han", "hans"],
  ["straße", "strase"],
])("%s and %s are two people", (left, right) => {
  expect(isSameOperator(left, right)).toBe(false);
});

it("gives every form of a name one key", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(name, (text) => {
      const key = operatorNameKey(text);
      for (const form of [text.toUpperCase(), text.toLowerCase(), text.normalize("NFD"), ` ${text} `, key])
        expect(operatorNameKey(form)).toBe(key);
    }),
  );
});
