import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { businessDay } from "../shared/calendar.js";
import { line, perPolicy } from "../shared/input.js";
import { newDigits } from "../shared/random.js";
import { steps } from "../shared/steps.js";
import type { SmsMessage, SmsSender } from "./sms-sender.js";
import { testNumberFor } from "./test-number.js";
import { codeHash, phoneHashes, readMobileNo } from "./phone-hash.js";

/** The query of GET /sms.json. */
export const sendCodeInput = perPolicy(() => z.object({ mobileNo: line(64) }));
/** A number to send a code to: what `parseInput(sendCodeInput(policy), …)` returns. */
export type SendCodeInput = z.output<ReturnType<typeof sendCodeInput>>;

/** The ports that sending a code touches. */
export type SendCodePorts = Pick<
  Ports,
  "smsSender" | "quotas" | "codes" | "payTools" | "clock" | "random" | "digest" | "policy"
>;

/** What a host may show beside the short answer on the wire. */
export interface CodeSent {
  /** Requests left today. */
  readonly remaining: number;
  /** When the day's quota starts anew, ISO 8601. */
  readonly resetAt: string;
}

/**
 * Sends a one-time code by SMS, at most `policy.smsPerDay` times per app, number and day. A new code replaces the one before. A refusal by the carrier gives the
 * unit back; when it is unknown whether the message went out, the unit stays used and the code valid. Test numbers get no SMS and use no
 * quota. Source: payments spec, GET /sms.json; BEHAVIOUR, "SMS codes and sessions".
 */
export function sendCode(
  ports: SendCodePorts,
  appId: string,
  input: SendCodeInput,
): ResultAsync<
  CodeSent,
  FailureOf<
    "sms.not-configured" | "mobile-no.invalid" | "sms.quota-exceeded" | "sms.not-sent" | "storage.unavailable"
  >
> {
  return steps(async function* () {
    const { smsSender, policy, digest } = ports;
    const mobileNo = yield* readMobileNo(input.mobileNo, policy);
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
    const testNumber = yield* testNumberFor(ports, appId, mobileNo, now);
    if (testNumber !== undefined) {
      yield* ports.codes.replace(codeFor(testNumber.authCode));
      return ok({ remaining: policy.smsPerDay, resetAt });
    }
    if (smsSender === undefined) return fail("sms.not-configured");
    const quota = { scope: "sms", subject: phoneHash } as const;
    const unit = { day, limit: policy.smsPerDay, now, spacing: policy.smsCooldown };
    const { granted, used } = yield* ports.quotas.take(quota, unit);
    if (!granted) return fail("sms.quota-exceeded");
    const authCode = newDigits(ports.random, policy.codeDigits);
    const code = codeFor(authCode);
    yield* ports.codes.replace(code);
    if (await isRefused(smsSender, { mobileNo, authCode, ttl: policy.codeTtl })) {
      yield* ports.codes.drop(code);
      yield* ports.quotas.giveBack(quota, day);
      return fail("sms.not-sent");
    }
    return ok({ remaining: policy.smsPerDay - used, resetAt });
  });
}

// Everything but a definite no may have gone out, also when the adapter broke.
async function isRefused(smsSender: SmsSender, message: SmsMessage): Promise<boolean> {
  try {
    const sent = await smsSender.send(message);
    return sent.isErr() && sent.error.name === "sms.rejected";
  } catch {
    return false;
  }
}
