import type { Policy } from "../policy.js";
import type { BusinessDay } from "../shared/business-day.js";
import type { QuotaKey } from "../shared/quota-store.js";

/** The limits of messages and wrong codes that many phone numbers share. */
export type SharedScope = "sms-app" | "sms-country" | "sms-host" | "wrong-codes-app";

/** A limit that many phone numbers share, in one hour or day. */
export interface SharedLimit {
  readonly key: QuotaKey & { readonly scope: SharedScope | "unasked-codes-app" };
  /** The hour or day, as the counter's `day`. */
  readonly period: string;
  readonly limit: number;
  /** When the period starts and ends, epoch milliseconds. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** An hour or a day. */
type Period = Pick<SharedLimit, "period" | "startsAt" | "endsAt">;

const HOUR = 3_600_000;
/** The subject of the counters of the whole host. */
const HOST = "host";

/** The hour and the day of an instant, as the periods of shared counters. */
export interface Periods {
  readonly hour: Period;
  readonly day: Period;
}

/**
 * Returns the periods of `now`, epoch milliseconds, in its business day.
 *
 * Their texts differ from those of the counters of single numbers, so that the shared ones are
 * found without reading the others.
 */
export function sharedPeriods({ date, startsAt, endsAt }: BusinessDay, now: number): Periods {
  const hour = Math.floor((now - startsAt) / HOUR);
  const hourStartsAt = startsAt + hour * HOUR;
  return {
    hour: {
      period: `${date}/${String(hour).padStart(2, "0")}`,
      startsAt: hourStartsAt,
      endsAt: Math.min(hourStartsAt + HOUR, endsAt),
    },
    day: { period: `${date}/day`, startsAt, endsAt },
  };
}

/** Returns every shared limit that a message to `country` must stay within. */
export function smsLimits(
  policy: Policy,
  appId: string,
  country: string,
  { hour, day }: Periods,
): readonly SharedLimit[] {
  const app = { scope: "sms-app", subject: appId } as const;
  const host = { scope: "sms-host", subject: HOST } as const;
  const countryLimit = policy.smsCountries[country];
  return [
    { key: app, limit: policy.smsPerHourPerApp, ...hour },
    { key: app, limit: policy.smsPerDayPerApp, ...day },
    { key: host, limit: policy.smsPerHourPerHost, ...hour },
    { key: host, limit: policy.smsPerDayPerHost, ...day },
    ...(countryLimit === undefined
      ? []
      : [{ key: { scope: "sms-country", subject: country } as const, limit: countryLimit, ...day }]),
  ];
}

/** Returns the limit of wrong codes of an app in an hour. */
export function wrongCodesLimit(policy: Policy, appId: string, { hour }: Periods): SharedLimit {
  return {
    key: { scope: "wrong-codes-app", subject: appId },
    limit: policy.wrongCodesPerHourPerApp,
    ...hour,
  };
}

/**
 * Returns the counter of codes for numbers that have no live code. It has no limit.
 *
 * Such a code must not pause an app, since anybody can send it. Counting it takes as long as
 * counting a wrong code, so that a caller does not learn which numbers asked for a code.
 */
export function unaskedCodes({ key, ...wrongCodes }: SharedLimit): SharedLimit {
  return { ...wrongCodes, key: { ...key, scope: "unasked-codes-app" }, limit: Number.MAX_SAFE_INTEGER };
}
