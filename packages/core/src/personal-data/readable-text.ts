import { withoutInvisible } from "../text/blank-text.js";

/** Text that is its own readable form. */
const PLAIN = /^[\w.@+:/=-]*$/;

/** Circled digits that have no plain form in Unicode, by their values. */
const CIRCLED_DIGITS = digitValues([
  "⓿",
  "❶➀➊⓵",
  "❷➁➋⓶",
  "❸➂➌⓷",
  "❹➃➍⓸",
  "❺➄➎⓹",
  "❻➅➏⓺",
  "❼➆➐⓻",
  "❽➇➑⓼",
  "❾➈➒⓽",
]);
/** Chinese digits, by their values. */
const CHINESE_DIGITS = digitValues([
  "〇零",
  "一壹幺",
  "二贰貳",
  "三叁參",
  "四肆",
  "五伍",
  "六陆陸",
  "七柒",
  "八捌",
  "九玖",
]);
/** Chinese digits of a number: three or more in a row. Names have at most two in a row. */
const CHINESE_GROUP = new RegExp(`[${[...CHINESE_DIGITS.keys()].join("")}]{3,}`, "gu");

/**
 * Returns `text` as a person reads it, in one spelling.
 *
 * Escapes of URLs and full-width characters become plain ones, digits of every script become ASCII
 * digits, dashes become hyphens, and invisible characters disappear. Takes time in proportion to
 * the length of `text`.
 */
export function readableText(text: string): string {
  if (PLAIN.test(text)) return text;
  const plain = withoutInvisible(withoutEscapes(text).normalize("NFKC"));
  return plain
    .replace(/[⓵-⓽⓿❶-➒]/gu, (digit) => CIRCLED_DIGITS.get(digit) ?? digit)
    .replace(CHINESE_GROUP, (group) => [...group].map((digit) => CHINESE_DIGITS.get(digit)).join(""))
    .replace(/(?!\d)\p{Nd}/gu, asciiDigit)
    .replace(/\u2795/g, "+")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/\u3002/g, ".")
    .replace(/\s+/g, " ")
    .trim();
}

function digitValues(digits: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    digits.flatMap((characters, value) => [...characters].map((character) => [character, String(value)])),
  );
}

function withoutEscapes(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Unicode encodes the ten digits of a script in a row, and some scripts side by side. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** Returns the letters and digits of a readable text, without what separates them. */
export function withoutSeparators(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}
