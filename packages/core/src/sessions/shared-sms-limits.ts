import type { Policy } from "../policy.js";
import { openUnits } from "./open-units.js";
import type { BusinessDay } from "../shared/business-day.js";
import type { QuotaKey } from "../shared/quota-store.js";

/** The limits of messages and wrong codes that many phone numbers share. */
export type SharedScope = "sms-app" | "sms-country" | "sms-host" | "wrong-codes-app";

/** A limit that many phone numbers share, in one hour or day. */
export interface SharedLimit {
  readonly key: QuotaKey & { readonly scope: SharedScope | "sms-app-country" | "unasked-codes-app" };
  /** The hour or day, in the form of `QuotaTake.day`. */
  readonly period: string;
  readonly limit: number;
  /** When the period starts and ends, epoch milliseconds. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** A limit that all apps share, part of which is reserved for apps that have sent few messages. */
export interface ReservedLimit extends SharedLimit {
  /** The units that all apps together can use before the rest is reserved. */
  readonly open: number;
  /** The maximum number of units in the period with which an app may use the reserve. */
  readonly little: number;
  /** The counter of the app for the same country or host, and period. */
  readonly ofApp: SharedLimit;
}

/** Every limit that a message must stay within. */
export interface SharedSmsLimits {
  /** The limits and counters of the app. */
  readonly app: readonly SharedLimit[];
  /** The limits that all apps share. */
  readonly all: readonly ReservedLimit[];
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
 * The texts of the two periods differ from the periods of single phone numbers. So `quotas.list`
 * finds the shared counters without reading the counters of all numbers.
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

/**
 * Returns every limit that a message to `country` must stay within.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/sms-limits.md |
 *   SMS login limits are counted atomically, before the action}
 */
export function sharedSmsLimits(
  policy: Policy,
  appId: string,
  country: string,
  periods: Periods,
): SharedSmsLimits {
  const { hour, day } = periods;
  const app = { scope: "sms-app", subject: appId } as const;
  const host = { scope: "sms-host", subject: HOST } as const;
  const appHour = { key: app, limit: policy.smsPerHourPerApp, ...hour };
  const appDay = { key: app, limit: policy.smsPerDayPerApp, ...day };
  const hosts = [
    reserved({ key: host, limit: policy.smsPerHourPerHost, ...hour }, appHour, policy),
    reserved({ key: host, limit: policy.smsPerDayPerHost, ...day }, appDay, policy),
  ];
  const limit = Object.hasOwn(policy.smsCountries, country) ? policy.smsCountries[country] : undefined;
  if (limit === undefined) return { app: [appHour, appDay], all: hosts };
  const ofCountry = { key: { scope: "sms-country", subject: country } as const, limit, ...day };
  const appCountry = {
    key: { scope: "sms-app-country", subject: `${appId}/${country}` } as const,
    limit: openUnits(limit, policy),
    ...day,
    // The suffix keeps `quotas.list` of the day from returning these counters.
    period: `${day.period}/apps`,
  };
  return {
    app: [appHour, appDay, appCountry],
    all: [...hosts, reserved(ofCountry, appCountry, policy)],
  };
}

/** The minimum number of apps that can share the reserve. */
const APPS = 4;

function reserved(
  shared: SharedLimit,
  ofApp: SharedLimit,
  policy: Pick<Policy, "smsReserve">,
): ReservedLimit {
  const open = openUnits(shared.limit, policy);
  return { ...shared, open, little: Math.ceil((shared.limit - open) / APPS), ofApp };
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
