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

/** What the numbering plan says about a number in E.164. Absent for a number of no country. */
export function phoneDetails(mobileNo: string): { readonly type?: string; readonly country?: string } {
  const number = parsePhoneNumberFromString(mobileNo);
  const type = number?.getType();
  const country = number?.country;
  return { ...(type === undefined ? {} : { type }), ...(country === undefined ? {} : { country }) };
}
