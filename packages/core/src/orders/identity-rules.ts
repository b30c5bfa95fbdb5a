import type { App } from "../apps/app.js";
import type { IdentityRule } from "../errors/rule-texts.js";
import type { Policy } from "../policy.js";
import { phoneNumber } from "../shared/phone.js";

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

/**
 * Characters without a width of their own.
 *
 * Zero-width spaces and joiners, soft hyphens, direction marks and combining marks.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Mn}\p{Me}]/gu;

/**
 * Returns the kind of personal data that `customerIdentity` looks like, or `undefined`.
 *
 * Only the checks that are enabled for the app run.
 *
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/customer-identity-checks.md |
 *   customerIdentity is checked for personal data}
 */
export function forbiddenIdentity(
  app: Pick<App, "identityChecks">,
  customerIdentity: string,
  policy: Policy,
): IdentityRule | undefined {
  const { email, phone, card } = app.identityChecks;
  // Full-width digits, invisible characters and surrounding spaces must not hide personal data.
  const text = customerIdentity.normalize("NFKC").replace(INVISIBLE, "").trim();
  if (email && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return "email";
  if (phone && looksLikePhone(text, policy)) return "phone";
  if (card && looksLikeCard(text)) return "card";
  return undefined;
}

function looksLikePhone(text: string, policy: Policy): boolean {
  const mainland = /^(?:(?:\+|00)?86)?1[3-9]\d{9}$/.test(withoutSeparators(text));
  return mainland || (text.startsWith("+") && phoneNumber(text, policy.defaultCountry) !== undefined);
}

function looksLikeCard(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^\d{12,19}$/.test(digits)) return false;
  const known = CARD_SCHEMES.some(
    ({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits),
  );
  return known && hasLuhnCheckDigit(digits);
}

function withoutSeparators(text: string): string {
  return text.replace(/[\s().-]/g, "");
}

function hasLuhnCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, position) => {
    const value = Number(digit) * (position % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
