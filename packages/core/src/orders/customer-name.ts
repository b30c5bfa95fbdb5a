import { hasEmailAddress } from "../personal-data/email-address.js";
import { hasIdentityCardNumber } from "../personal-data/identity-card.js";
import { hasPhoneNumber } from "../personal-data/phone-number.js";
import { readableText } from "../personal-data/readable-text.js";
import type { Policy } from "../policy.js";
import { isBlank } from "../text/blank-text.js";

/**
 * Returns the `customerName` to store, or `undefined`.
 *
 * A name that contains a phone number, an e-mail address or the number of an identity card is not
 * stored, and neither is a blank one. No app can disable the checks.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/personal-data.md |
 *   Orders are checked for personal data, and customers can be erased}
 */
export function storedCustomerName(customerName: string | undefined, policy: Policy): string | undefined {
  if (customerName === undefined || isBlank(customerName)) return undefined;
  const text = readableText(customerName);
  const isPersonal = hasEmailAddress(text) || hasPhoneNumber(text, policy) || hasIdentityCardNumber(text);
  return isPersonal ? undefined : customerName;
}
