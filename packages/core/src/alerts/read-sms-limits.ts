import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { businessDay } from "../shared/business-day.js";
import {
  type SharedLimit,
  type SharedScope,
  sharedPeriods,
  sharedSmsLimits,
  wrongCodesLimit,
} from "../sessions/shared-sms-limits.js";
import type { QuotaScope } from "../shared/quota-store.js";
import { isNearLimit } from "../sessions/take-shared-sms-units.js";

/** A shared limit with the units that are used. */
export interface UsedLimit extends Pick<SharedLimit, "period" | "startsAt" | "limit"> {
  readonly scope: SharedScope;
  readonly subject: string;
  readonly used: number;
}

/**
 * Returns the shared limits of this hour and day that are nearly or fully used.
 *
 * Reads the `atMost` counters of the hour with the most used units, and likewise those of the day.
 */
export function readSmsLimits(
  { quotas, policy, clock }: Pick<Ports, "quotas" | "policy" | "clock">,
  atMost: number,
): ResultAsync<readonly UsedLimit[], StorageFailure> {
  return attempt(async () => {
    const now = clock.now();
    const periods = sharedPeriods(businessDay(policy.timeZone, now), now);
    const near: UsedLimit[] = [];
    for (const { period } of [periods.hour, periods.day]) {
      const counters = await quotas.list(period, atMost);
      if (counters.isErr()) return counters;
      for (const { scope, subject, used } of counters.value) {
        if (!isShared(scope)) continue;
        const { app, all } = sharedSmsLimits(policy, subject, subject, periods);
        const rule = [...app, ...all, wrongCodesLimit(policy, subject, periods)].find(
          (limit) => limit.key.scope === scope && limit.period === period,
        );
        if (rule !== undefined && isNearLimit(used, rule.limit))
          near.push({ scope, subject, used, period, startsAt: rule.startsAt, limit: rule.limit });
      }
    }
    return ok(near);
  });
}

function isShared(scope: QuotaScope): scope is SharedScope {
  return ["sms-app", "sms-country", "sms-host", "wrong-codes-app"].includes(scope);
}
