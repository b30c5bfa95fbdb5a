import type { Policy } from "../policy.js";
import { phoneNumber } from "../shared/phone.js";
import { withoutSeparators } from "./readable-text.js";

/** A mobile number of mainland China, with or without the country code and the trunk prefix. */
const MOBILE = /^(?:(?:00)?86)?0?1[3-9]\d{9}$/;
/** The same with words before and after it. */
const MOBILE_IN_WORDS = /^\p{L}*(?:(?:00)?86)?0?1[3-9]\d{9}\p{L}*$/u;
/** A mobile number in one group of digits or in its usual three, beside other words and numbers. */
const MOBILE_WORD =
  /(?<![\p{L}\p{N}])1[3-9]\d(?:\d{8}|[^\p{L}\p{N}]\d{4}[^\p{L}\p{N}]\d{4})(?![\p{L}\p{N}])/u;
/** A number that begins with `00`, and words for phones before it. */
const ZEROS =
  /^(?:tel|telephone|phone|mobile|cell|sms|smsto|fax|callto|whatsapp|wechat|weixin|手机|电话|号|码){0,4}00\d+$/i;
/** An extension at the end of a number. */
const EXTENSION = /[ ,]{0,3}(?:ext(?:ension|n)?|x|#|\*|,|转|轉|分机|分機|доб)[ .:=#]{0,3}\d{1,8}$/iu;
/** The length of the end of a text that is searched for an extension, in characters. */
const LONGEST_EXTENSION = 32;

/** The most digits of a number with its prefixes: `00`, `86`, `0` and 15 digits. */
const MOST_DIGITS = 20;
/** The fewest digits after `+`, and after `00` if nothing separates the digits. */
const FEWEST_DIGITS = 7;
const FEWEST_AFTER_ZEROS = 11;

/** Digits that may be one number, and what stands around them. */
interface NumberInText {
  readonly digits: string;
  readonly hasPlus: boolean;
  /** Whether other characters separate its digits. */
  readonly isSplit: boolean;
  /** Whether a letter follows. */
  readonly isInWord: boolean;
}

/**
 * Returns whether a text is a phone number, possibly with words before and after it.
 *
 * A phone number is a mobile number of mainland China, or a valid number that begins with `+` or
 * `00`. Other digits may stand beside a mobile number in its usual form, and beside a number with
 * `+`. A part of an id or of a hash is no phone number.
 *
 * @param text - The result of `readableText`.
 */
export function isPhoneNumber(text: string, policy: Policy): boolean {
  if (/1[3-9]\d(?:\d|\D\d{4}\D)/.test(text) && MOBILE_WORD.test(text)) return true;
  const number = withoutExtension(text);
  const plain = withoutSeparators(number);
  if (MOBILE_IN_WORDS.test(plain)) return true;
  if (number.includes("+") && numbersIn(number).some((part) => !part.isInWord && hasPlus(part, policy)))
    return true;
  return ZEROS.test(plain) && numbersIn(number).some((part) => hasZeros(part, policy));
}

/**
 * Returns whether a text contains a phone number.
 *
 * @param text - The result of `readableText`.
 */
export function hasPhoneNumber(text: string, policy: Policy): boolean {
  return numbersIn(text).some(
    (part) => MOBILE.test(part.digits) || hasPlus(part, policy) || hasZeros(part, policy),
  );
}

/** Removes the parameters of a `tel:` address, and an extension. */
function withoutExtension(text: string): string {
  const parameters = text.indexOf(";", text.search(/\d/));
  const number = parameters === -1 ? text : text.slice(0, parameters);
  const end = number.slice(-LONGEST_EXTENSION);
  return number.slice(0, -LONGEST_EXTENSION) + end.replace(EXTENSION, "");
}

/**
 * Returns the numbers that begin with each group of digits, up to 20 digits each.
 *
 * Separators may stand between the groups of a number, and letters and a `+` end it.
 */
function numbersIn(text: string): readonly NumberInText[] {
  const groups = [...text.matchAll(/\d+/g)];
  const gaps = groups.map(({ index }, position) => {
    const before = groups[position - 1];
    return text.slice(before === undefined ? 0 : before.index + before[0].length, index);
  });
  const startsWithPlus = gaps.map((gap) => {
    const plus = gap.lastIndexOf("+");
    return plus !== -1 && !hasLetter(gap.slice(plus));
  });
  const isContinued = gaps.map((gap, index) => startsWithPlus[index] !== true && !hasLetter(gap));
  return groups.flatMap((_, start) => {
    const numbers: NumberInText[] = [];
    let digits = "";
    for (let position = start; position === start || isContinued[position] === true; position += 1) {
      const group = groups[position];
      digits += group?.[0] ?? "";
      if (group === undefined || digits.length > MOST_DIGITS) break;
      if (digits.length < FEWEST_DIGITS) continue;
      const next = text.codePointAt(group.index + group[0].length) ?? 0;
      numbers.push({
        digits,
        hasPlus: startsWithPlus[start] === true,
        isSplit: position > start,
        isInWord: hasLetter(String.fromCodePoint(next)),
      });
    }
    return numbers;
  });
}

function hasLetter(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function hasPlus({ digits, hasPlus: plus }: NumberInText, policy: Policy): boolean {
  return plus && isInternational(digits, policy);
}

function hasZeros({ digits, isSplit }: NumberInText, policy: Policy): boolean {
  // Ids that are padded with zeros have no separators, and few have so many other digits.
  const fewest = 2 + (isSplit ? FEWEST_DIGITS : FEWEST_AFTER_ZEROS);
  return digits.startsWith("00") && digits.length >= fewest && isInternational(digits.slice(2), policy);
}

function isInternational(digits: string, policy: Policy): boolean {
  return phoneNumber(`+${digits}`, policy) !== undefined;
}
