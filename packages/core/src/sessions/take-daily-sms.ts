import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { BusinessDay } from "../shared/business-day.js";
import type { QuotaKey, QuotaTake } from "../shared/quota-store.js";
import { secondsUntil } from "../shared/seconds-until.js";

/** The counter of the messages to one number on one day, and the unit that a message takes. */
interface DailySmsQuota {
  readonly quota: QuotaKey;
  readonly unit: QuotaTake;
}

/**
 * Returns the daily quota of messages to a phone number of an app.
 *
 * A number can get `policy.smsPerDay` messages per day, at least `policy.smsCooldown` apart.
 *
 * @param now - epoch milliseconds, in the business day `today`.
 */
export function dailySmsQuota(
  policy: Pick<Policy, "smsPerDay" | "smsCooldown">,
  phoneHash: string,
  today: Pick<BusinessDay, "date">,
  now: number,
): DailySmsQuota {
  return {
    quota: { scope: "sms", subject: phoneHash },
    unit: { day: today.date, limit: policy.smsPerDay, now, spacing: policy.smsCooldown },
  };
}

/**
 * Takes one message of the daily quota.
 *
 * @param dayEndsAt - when the next day's quota starts, epoch milliseconds.
 * @returns how many messages of the day are used now.
 */
export function takeDailySms(
  { quotas }: Pick<Ports, "quotas">,
  { quota, unit }: DailySmsQuota,
  dayEndsAt: number,
): ResultAsync<number, FailureOf<"sms.quota-exceeded" | StorageFailureName>> {
  return attempt(async () => {
    const grant = await quotas.take(quota, unit);
    if (grant.isErr()) return grant;
    const { granted, used, retryAt = dayEndsAt } = grant.value;
    if (!granted) {
      const reason = grant.value.retryAt === undefined ? "day" : "cooldown";
      return fail("sms.quota-exceeded", { reason, retryAfter: secondsUntil(retryAt, unit.now) });
    }
    return ok(used);
  });
}
