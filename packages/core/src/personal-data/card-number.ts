import { withoutSeparators } from "./readable-text.js";

/**
 * Prefixes and lengths of the card schemes.
 *
 * Any other number does not count as a card number, even with a valid check digit.
 */
const CARD_SCHEMES: readonly { readonly prefix: RegExp; readonly lengths: readonly number[] }[] = [
  { prefix: /^4/, lengths: [13, 16, 19] }, // Visa
  { prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] }, // Mastercard
  { prefix: /^3[47]/, lengths: [15] }, // American Express
  { prefix: /^(62|81)/, lengths: [16, 17, 18, 19] }, // UnionPay
  { prefix: /^35(2[89]|[3-8])/, lengths: [16, 17, 18, 19] }, // JCB
  { prefix: /^3(0[0-5]|[689])/, lengths: [14, 15, 16, 17, 18, 19] }, // Diners Club
  { prefix: /^(6011|64[4-9]|65)/, lengths: [16, 17, 18, 19] }, // Discover
  { prefix: /^(5018|5020|5038|5893|6304|6759|676[1-3])/, lengths: [12, 13, 14, 15, 16, 17, 18, 19] }, // Maestro
];

/** Words that can stand before a card number. */
const CARD_WORDS =
  /^(?:bank|credit|debit|card|number|no|pan|visa|mastercard|unionpay|amex|jcb|银行|信用|储蓄|借记|银联|卡|号|码)+(?=\d)/i;

/**
 * Returns whether a text is a card number: the prefix and length of a scheme, and its check digit.
 *
 * @param text - The result of `readableText`.
 */
export function isCardNumber(text: string): boolean {
  const digits = withoutSeparators(text).replace(CARD_WORDS, "");
  if (!/^\d{12,19}$/.test(digits)) return false;
  const hasScheme = CARD_SCHEMES.some(
    ({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits),
  );
  return hasScheme && hasLuhnCheckDigit(digits);
}

function hasLuhnCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, position) => {
    const value = Number(digit) * (position % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
