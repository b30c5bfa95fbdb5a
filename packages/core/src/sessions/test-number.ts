import { ok, okAsync, type ResultAsync } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { TestNumber } from "../policy.js";
import type { Ports } from "../ports.js";
import { phoneNumber } from "../shared/phone.js";

/**
 * The test number `mobileNo` is now, if any. For an app with a PROD pay tool it fails as no valid number: a fixed code must never open a session where
 * real customers pay. Source: BEHAVIOUR, "SMS codes and sessions", test numbers.
 */
export function testNumberFor(
  { payTools, policy }: Pick<Ports, "payTools" | "policy">,
  appId: string,
  mobileNo: string,
  now: number,
): ResultAsync<TestNumber | undefined, FailureOf<"mobile-no.invalid" | "storage.unavailable">> {
  const testNumber = policy.testNumbers.find(
    ({ mobileNo: configured, expiresAt }) =>
      phoneNumber(configured, policy.defaultCountry) === mobileNo &&
      (expiresAt === undefined || now < expiresAt),
  );
  if (testNumber === undefined) return okAsync(undefined);
  return payTools
    .list(appId)
    .andThen((tools) =>
      tools.some(({ appEnv }) => appEnv === "PROD") ? fail("mobile-no.invalid") : ok(testNumber),
    );
}
