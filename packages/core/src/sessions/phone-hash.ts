import { ok, type Result } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Policy } from "../policy.js";
import type { Digest } from "../shared/digest.js";
import { phoneNumber } from "../shared/phone.js";

/** Converts `mobileNo` to E.164. */
export function readMobileNo(
  mobileNo: string,
  policy: Policy,
): Result<string, FailureOf<"mobile-no.invalid">> {
  const number = phoneNumber(mobileNo, policy);
  return number === undefined ? fail("mobile-no.invalid") : ok(number);
}

/**
 * Returns the stored hashes of a phone number, the current pepper first.
 *
 * The hashes depend on the app, so that two apps cannot compare their customers.
 */
export function phoneHashes(digest: Digest, appId: string, mobileNo: string) {
  return digest.keyed(`phone\n${appId}\n${mobileNo}`);
}

/** Returns the stored hash of a code, which depends on the app and the phone number. */
export function codeHash(digest: Digest, appId: string, mobileNo: string, authCode: string): string {
  return digest.keyed(`code\n${appId}\n${mobileNo}\n${authCode}`)[0];
}
