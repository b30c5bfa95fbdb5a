import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { businessDay } from "../shared/business-day.js";
import { singleLineText, perPolicy } from "../shared/input.js";
import { newDigits } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import { callSmsSender } from "./call-sms-sender.js";
import { dailySmsQuota, takeDailySms } from "./take-daily-sms.js";
import { lockedUntil } from "./code-tries.js";
import { smsCountry } from "./sms-recipient.js";
import { type SharedLimit, sharedPeriods, sharedSmsLimits } from "./shared-sms-limits.js";
import { languageTag } from "./language-tag.js";
import { giveBackSharedSmsUnits, takeSharedSmsUnits } from "./take-shared-sms-units.js";
import type { SmsRequest } from "./sms-sender.js";
import { testNumberFor } from "./test-number.js";
import { codeHash, phoneHashes, readMobileNo } from "./phone-hash.js";

/** The query parameters of GET /sms.json. */
export const sendCodeInput = perPolicy(() => z.object({ mobileNo: singleLineText(64) }));
/** A phone number, the output of `parseInput(sendCodeInput(policy), …)`. */
export type SendCodeInput = z.output<ReturnType<typeof sendCodeInput>>;

/** The ports that {@link sendCode} uses. */
export type SendCodePorts = Pick<
  Ports,
  | "smsSender"
  | "admitSms"
  | "quotas"
  | "codes"
  | "payTools"
  | "clock"
  | "random"
  | "digest"
  | "policy"
  | "observer"
>;

/** Options of {@link sendCode}. */
export interface SendCodeOptions {
  /**
   * The language of the message, a BCP 47 tag such as `en` or `zh-Hant`.
   *
   * If it is absent or no such tag, the default template of the app is used.
   */
  readonly language?: string | undefined;
}

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
 * Takes one unit of the number's quota for the {@link businessDay} (`dailySmsQuota`). Also takes
 * one unit of each limit that all numbers of an app, of a country and of the host share. The code
 * is stored before the carrier is called, because the SMS can arrive before the carrier's answer.
 * Earlier codes stay valid until the carrier has accepted the new one. If the carrier refuses the
 * message, the earlier codes stay as they were, and Tillkit gives the units back. The pause between
 * two messages (`policy.smsCooldown`) still applies. If the outcome is unknown, the newest two
 * codes are valid. A test number gets no SMS and uses no quota.
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
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/sms-limits.md |
 *   SMS login limits are counted atomically, before the action}
 */
export function sendCode(
  ports: SendCodePorts,
  appId: string,
  input: SendCodeInput,
  options: SendCodeOptions = {},
): ResultAsync<
  CodeSent,
  FailureOf<
    | "sms.not-configured"
    | "mobile-no.invalid"
    | "mobile-no.not-allowed"
    | "mobile-no.locked"
    | "sms.quota-exceeded"
    | "sms.not-sent"
    | StorageFailureName
  >
> {
  return attempt(async () => {
    const { smsSender, policy, digest } = ports;
    const mobileNo = readMobileNo(input.mobileNo, policy);
    if (mobileNo.isErr()) return mobileNo;
    const now = ports.clock.now();
    const today = businessDay(policy.timeZone, now);
    const { endsAt, resetAt } = today;
    const [phoneHash] = phoneHashes(digest, appId, mobileNo.value);
    const expiresAt = now + policy.codeTtl;
    const codeFor = (code: string) => ({
      appId,
      phoneHash,
      codeHash: codeHash(digest, appId, mobileNo.value, code),
      expiresAt,
    });
    const limits = { now, perDay: policy.codeTriesPerDay };
    const testNumber = await testNumberFor(ports, appId, mobileNo.value, now);
    if (testNumber.isErr()) return testNumber;
    if (testNumber.value !== undefined) {
      const added = await ports.codes.add(codeFor(testNumber.value.authCode), limits);
      if (added.isErr()) return added;
      return added.value === "locked"
        ? lockedUntil(endsAt, now)
        : ok({ remaining: policy.smsPerDay, resetAt });
    }
    if (smsSender === undefined) return fail("sms.not-configured");
    const country = smsCountry(mobileNo.value, policy);
    if (country.isErr()) return country;
    const request = { appId, mobileNo: mobileNo.value, country: country.value };
    // Asks the host first, so that refused requests do not delay requests of the number's owner.
    if (!(await isAdmitted(ports, request))) return fail("sms.quota-exceeded", { reason: "host" });
    const daily = dailySmsQuota(policy, phoneHash, today, now);
    const { quota, unit } = daily;
    const used = await takeDailySms(ports, daily, endsAt);
    if (used.isErr()) return used;
    const sharedLimits = sharedSmsLimits(policy, appId, country.value, sharedPeriods(today, now));
    const giveBack = async (sharedUnits: readonly SharedLimit[]) => {
      const returned = await giveBackSharedSmsUnits(ports, sharedUnits);
      return returned.isErr() ? returned : ports.quotas.giveBack(quota, unit.day);
    };
    const units = [...sharedLimits.app, ...sharedLimits.all];
    const admitted = await takeSharedSmsUnits(ports, sharedLimits);
    if (admitted.isErr()) {
      const returned = await giveBack([]);
      return returned.isErr() ? returned : admitted;
    }
    const authCode = newDigits(ports.random, policy.codeDigits);
    const code = codeFor(authCode);
    const addition = await ports.codes.add(code, limits);
    if (addition.isErr()) return addition;
    if (addition.value === "locked") {
      const returned = await giveBack(units);
      return returned.isErr() ? returned : lockedUntil(endsAt, now);
    }
    const language = languageTag(options.language);
    const message = {
      appId,
      purpose: "login",
      ...(language === undefined ? {} : { language }),
      mobileNo: mobileNo.value,
      authCode,
      ttl: policy.codeTtl,
    } as const;
    const outcome = await callSmsSender(ports, smsSender, message);
    if (outcome === "rejected") {
      const dropped = await ports.codes.drop(code);
      if (dropped.isErr()) return dropped;
      const returned = await giveBack(units);
      return returned.isErr() ? returned : fail("sms.not-sent");
    }
    // If this fails, the earlier code stays valid until it expires.
    if (outcome === "ok" && addition.value === "beside")
      await ports.codes.dropEarlier(code).unwrapOr(undefined);
    return ok({ remaining: policy.smsPerDay - used.value, resetAt });
  });
}

/**
 * Asks the host whether a code may be sent.
 *
 * If the host's function throws, nothing is admitted, because messages cost money.
 */
async function isAdmitted({ admitSms }: Pick<Ports, "admitSms">, request: SmsRequest): Promise<boolean> {
  try {
    return admitSms === undefined || (await admitSms(request));
  } catch {
    return false;
  }
}
