import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { businessDay } from "../shared/business-day.js";
import { singleLineText, perPolicy } from "../shared/input.js";
import { newDigits } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import { callSmsSender } from "./call-sms-sender.js";
import { testNumberFor } from "./test-number.js";
import { codeHash, phoneHashes, readMobileNo } from "./phone-hash.js";

/** The query parameters of GET /sms.json. */
export const sendCodeInput = perPolicy(() => z.object({ mobileNo: singleLineText(64) }));
/** A phone number, the output of `parseInput(sendCodeInput(policy), …)`. */
export type SendCodeInput = z.output<ReturnType<typeof sendCodeInput>>;

/** The ports that {@link sendCode} uses. */
export type SendCodePorts = Pick<
  Ports,
  "smsSender" | "quotas" | "codes" | "payTools" | "clock" | "random" | "digest" | "policy" | "observer"
>;

/** Details for an embedding host. The API does not return them. */
export interface CodeSent {
  /** The number of SMS requests left today. */
  readonly remaining: number;
  /** When the next day's quota starts, ISO 8601. */
  readonly resetAt: string;
}

/**
 * Sends a one-time code by SMS, at most `policy.smsPerDay` times per app, number and day.
 *
 * {@link QuotaStore.take} takes one unit of the quota of the {@link businessDay}, in one step. A
 * new code replaces the previous one. If the carrier refuses the message, Tillkit gives the unit
 * back. If the outcome is unknown, the unit stays used and the code is valid. A test number gets no
 * SMS and uses no quota.
 *
 * @returns the rest of the day's quota. Fails with `sms.not-configured` if the host has no
 *   `smsSender`.
 * @example
 * ```ts
 * import { parseInput, sendCode, sendCodeInput } from "@tillkit/core";
 *
 * const request = parseInput(sendCodeInput(ports.policy), { mobileNo: "13800138000" });
 * const sent = await request.asyncAndThen((input) => sendCode(ports, "app_1", input));
 * ```
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/sms-quota-code-tries-and-sessions.md |
 *   SMS login limits are atomic and are taken before the action}
 */
export function sendCode(
  ports: SendCodePorts,
  appId: string,
  input: SendCodeInput,
): ResultAsync<
  CodeSent,
  FailureOf<
    "sms.not-configured" | "mobile-no.invalid" | "sms.quota-exceeded" | "sms.not-sent" | StorageFailureName
  >
> {
  return attempt(async () => {
    const { smsSender, policy, digest } = ports;
    const mobileNoResult = readMobileNo(input.mobileNo, policy);
    if (mobileNoResult.isErr()) return mobileNoResult;
    const mobileNo = mobileNoResult.value;
    const now = ports.clock.now();
    const { date: day, resetAt } = businessDay(policy.timeZone, now);
    const [phoneHash] = phoneHashes(digest, appId, mobileNo);
    const expiresAt = now + policy.codeTtl;
    const codeFor = (code: string) => ({
      appId,
      phoneHash,
      codeHash: codeHash(digest, appId, mobileNo, code),
      expiresAt,
    });
    const testNumberResult = await testNumberFor(ports, appId, mobileNo, now);
    if (testNumberResult.isErr()) return testNumberResult;
    const testNumber = testNumberResult.value;
    if (testNumber !== undefined) {
      const replaced = await ports.codes.replace(codeFor(testNumber.authCode));
      if (replaced.isErr()) return replaced;
      return ok({ remaining: policy.smsPerDay, resetAt });
    }
    if (smsSender === undefined) return fail("sms.not-configured");
    const quota = { scope: "sms", subject: phoneHash } as const;
    const unit = { day, limit: policy.smsPerDay, now, spacing: policy.smsCooldown };
    const taken = await ports.quotas.take(quota, unit);
    if (taken.isErr()) return taken;
    const { granted, used } = taken.value;
    if (!granted) return fail("sms.quota-exceeded");
    const authCode = newDigits(ports.random, policy.codeDigits);
    const code = codeFor(authCode);
    const replacedResult = await ports.codes.replace(code);
    if (replacedResult.isErr()) return replacedResult;
    const message = { mobileNo, authCode, ttl: policy.codeTtl };
    if ((await callSmsSender(ports, smsSender, message)) === "rejected") {
      const dropped = await ports.codes.drop(code);
      if (dropped.isErr()) return dropped;
      const returned = await ports.quotas.giveBack(quota, day);
      if (returned.isErr()) return returned;
      return fail("sms.not-sent");
    }
    return ok({ remaining: policy.smsPerDay - used, resetAt });
  });
}
