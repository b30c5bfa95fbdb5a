import { isDate } from "../shared/date.js";
import { withoutSeparators } from "./readable-text.js";

/** The first two digits: a province, or 9 for a card of a permanent resident from abroad. */
const REGION = /^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]|9\d)/;
/** The weights of the first 17 digits, and the check characters by remainder (GB 11643). */
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2] as const;
const CHECK_CHARACTERS = "10X98765432";

/** A number among other words, and a number that fills the text, without separators. */
const WORD = /(?<![0-9a-z])\d{17}[\dx](?![0-9a-z])/gi;
const WHOLE = /^\p{L}*(\d{17}[\dx])\p{L}*$/iu;

/**
 * Returns whether a text contains the number of a Chinese identity card.
 *
 * The number has 18 characters, with a region, a day of birth and the right check character.
 * Numbers of 15 digits do not count. These cards ended in 2013 and have no check digit, and one in
 * 70 numbers of 15 digits would look like one.
 *
 * @param text - The result of `readableText`.
 */
export function hasIdentityCardNumber(text: string): boolean {
  if (text.length < 18) return false;
  const whole = WHOLE.exec(withoutSeparators(text))?.[1];
  if (whole !== undefined && isCard(whole)) return true;
  return /\d{17}/.test(text) && (text.match(WORD) ?? []).some(isCard);
}

function isCard(number: string): boolean {
  const birth = `${number.slice(6, 10)}-${number.slice(10, 12)}-${number.slice(12, 14)}`;
  if (!REGION.test(number) || !/^(?:18|19|20)/.test(birth) || !isDate(birth)) return false;
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(number[index]), 0);
  return CHECK_CHARACTERS[sum % 11] === number[17]?.toUpperCase();
}
