import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * Formats a phone number as E.164 (`+8613800138000`), or returns `undefined` if it is not valid.
 *
 * @param defaultCountry - The country of a number without `+`, two letters, ISO 3166.
 */
export function phoneNumber(text: string, defaultCountry: string): string | undefined {
  const country = isSupportedCountry(defaultCountry) ? { defaultCountry } : {};
  const number = parsePhoneNumberFromString(text, { ...country, extract: false });
  return number?.isValid() === true && number.ext === undefined ? number.number : undefined;
}
