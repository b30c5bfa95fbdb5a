import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * The number as E.164 (`+8613800138000`), or `undefined` when it is no valid phone number. `defaultCountry` is the country of a
 * number written without `+`.
 */
export function phoneNumber(text: string, defaultCountry: string): string | undefined {
  const country = isSupportedCountry(defaultCountry) ? { defaultCountry } : {};
  const number = parsePhoneNumberFromString(text, { ...country, extract: false });
  return number?.isValid() === true && number.ext === undefined ? number.number : undefined;
}
