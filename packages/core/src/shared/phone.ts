import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";

/** The parts of the policy that decide what a phone number is. */
export interface NumberingPlan {
  readonly defaultCountry: string;
  readonly newMobileNumbers: readonly string[];
}

/**
 * Formats a phone number as E.164 (`+8613800138000`), or returns `undefined` if it is not valid.
 *
 * A number without `+` belongs to `policy.defaultCountry`.
 */
export function phoneNumber(text: string, plan: NumberingPlan): string | undefined {
  const { defaultCountry } = plan;
  const country = isSupportedCountry(defaultCountry) ? { defaultCountry } : {};
  const number = parsePhoneNumberFromString(text, { ...country, extract: false });
  if (number === undefined || number.ext !== undefined) return undefined;
  return number.isValid() || isNewMobileNumber(number.number, plan) ? number.number : undefined;
}

/** Returns the type and the country of a number in E.164, as far as they are known. */
export function phoneDetails(
  mobileNo: string,
  plan: NumberingPlan,
): { readonly type?: string; readonly country?: string } {
  const number = parsePhoneNumberFromString(mobileNo);
  const type = isNewMobileNumber(mobileNo, plan) ? "MOBILE" : number?.getType();
  const country = number?.country;
  return { ...(type === undefined ? {} : { type }), ...(country === undefined ? {} : { country }) };
}

/** Returns whether the policy names the range of a number that the library does not know yet. */
function isNewMobileNumber(number: string, { newMobileNumbers }: NumberingPlan): boolean {
  return newMobileNumbers.some(
    (range) => range.length === number.length && number.startsWith(range.replace(/#+$/, "")),
  );
}
