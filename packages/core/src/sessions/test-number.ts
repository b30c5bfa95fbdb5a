import { ok, okAsync, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { TestNumber } from "../policy.js";
import type { Ports } from "../ports.js";
import { phoneNumber } from "../shared/phone.js";

/**
 * Returns the test number that `mobileNo` currently is, or `undefined`.
 *
 * Fails with `mobile-no.invalid` if the app has a PROD pay tool: a fixed code must never open a
 * session where customers pay real money.
 *
 * `mobileNo` is in E.164, `now` in epoch milliseconds.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/sms-limits.md |
 *   SMS login limits are counted atomically, before the action}
 */
export function testNumberFor(
  { payTools, policy }: Pick<Ports, "payTools" | "policy">,
  appId: string,
  mobileNo: string,
  now: number,
): ResultAsync<TestNumber | undefined, FailureOf<"mobile-no.invalid" | StorageFailureName>> {
  const testNumber = policy.testNumbers.find(
    ({ mobileNo: text, expiresAt }) =>
      phoneNumber(text, policy) === mobileNo && (expiresAt === undefined || now < expiresAt),
  );
  if (testNumber === undefined) return okAsync(undefined);
  return payTools
    .list(appId)
    .andThen((tools) =>
      tools.some(({ appEnv }) => appEnv === "PROD") ? fail("mobile-no.invalid") : ok(testNumber),
    );
}
