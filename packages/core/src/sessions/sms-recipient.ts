import { ok, type Result } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Policy } from "../policy.js";
import { phoneDetails } from "../shared/phone.js";

/** The types of numbers that get SMS. In some countries, mobile and fixed numbers look the same. */
const SMS_TYPES: ReadonlySet<string | undefined> = new Set(["MOBILE", "FIXED_LINE_OR_MOBILE"]);

/**
 * Returns the country of a number that may receive codes, two letters, ISO 3166.
 *
 * Refuses premium, toll-free, shared-cost, fixed and satellite numbers, because criminals are paid
 * for messages to some of them. Also refuses countries and prefixes that the policy does not allow.
 *
 * `mobileNo` is in E.164.
 */
export function smsCountry(
  mobileNo: string,
  policy: Policy,
): Result<string, FailureOf<"mobile-no.not-allowed">> {
  const { smsCountries, smsBlockedPrefixes, defaultCountry } = policy;
  const { type, country } = phoneDetails(mobileNo, policy);
  const isListed =
    country !== undefined &&
    (country in smsCountries || (Object.keys(smsCountries).length === 0 && country === defaultCountry));
  const isBlocked = smsBlockedPrefixes.some((prefix) => mobileNo.startsWith(prefix));
  return isListed && SMS_TYPES.has(type) && !isBlocked ? ok(country) : fail("mobile-no.not-allowed");
}
