import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailure, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { emit } from "../shared/emit.js";
import { secondsUntil } from "../shared/seconds-until.js";
import type { SharedLimit, SharedSmsLimits } from "./shared-sms-limits.js";

/** The share of a limit from which the observer gets an event, before messages are refused. */
const NEAR = 0.8;

/** Returns whether `used` units are near the limit. */
export function isNearLimit(used: number, limit: number): boolean {
  return used >= Math.ceil(NEAR * limit);
}

/**
 * Takes one unit of each limit, or no unit.
 *
 * The units of refused messages are given back. Until then they count, so that concurrent calls
 * never exceed a limit. The limits of the app come first. An app without units left therefore takes
 * no shared units, and an app that has sent many messages takes no reserved units, not even
 * temporarily.
 */
export function takeSharedSmsUnits(
  ports: Pick<Ports, "quotas" | "clock" | "observer">,
  limits: SharedSmsLimits,
): ResultAsync<void, FailureOf<"sms.quota-exceeded" | StorageFailureName>> {
  return attempt(async () => {
    const usedOf = await takeEach(ports, limits.app);
    if (usedOf.isErr()) return usedOf;
    const rest = limits.all.map((limit) => ({
      ...limit,
      atMost: (usedOf.value.get(limit.ofApp) ?? Infinity) <= limit.little ? limit.limit : limit.open,
    }));
    const ofAll = await takeEach(ports, rest);
    if (ofAll.isOk()) return ok(undefined);
    const returned = await giveBackSharedSmsUnits(ports, limits.app);
    return returned.isErr() ? returned : ofAll;
  });
}

/**
 * Takes one unit of each limit, or no unit. Returns how many units of each limit are used.
 *
 * With `atMost`, the app gets a unit only while all apps together have used fewer units.
 */
function takeEach(
  ports: Pick<Ports, "quotas" | "clock" | "observer">,
  limits: readonly (SharedLimit & { readonly atMost?: number })[],
): ResultAsync<ReadonlyMap<SharedLimit, number>, FailureOf<"sms.quota-exceeded" | StorageFailureName>> {
  return attempt(async () => {
    const now = ports.clock.now();
    // A store can run the calls of one turn of the event loop as one statement.
    const grants = await Promise.all(
      limits.map(({ key, period, limit, atMost = limit }) =>
        ports.quotas.take(key, { day: period, limit: atMost, now, spacing: 0 }),
      ),
    );
    const units = new Map<SharedLimit, number>();
    const refusals: SharedLimit[] = [];
    for (const [nth, limit] of limits.entries()) {
      const unit = grants[nth];
      if (unit?.isOk() !== true) continue;
      if (!unit.value.granted) refusals.push(limit);
      else {
        units.set(limit, unit.value.used);
        emitNear(ports, limit, unit.value.used);
      }
    }
    if (units.size === limits.length) return ok(units);
    const returned = await giveBackSharedSmsUnits(ports, [...units.keys()]);
    for (const unit of grants) if (unit.isErr()) return unit;
    if (returned.isErr()) return returned;
    const retryAt = Math.max(...refusals.map(({ endsAt }) => endsAt));
    return fail("sms.quota-exceeded", { reason: "total", retryAfter: secondsUntil(retryAt, now) });
  });
}

/** Gives the units of `limits` back. */
export function giveBackSharedSmsUnits(
  { quotas }: Pick<Ports, "quotas">,
  limits: readonly SharedLimit[],
): ResultAsync<void, StorageFailure> {
  return attempt(async () => {
    const results = await Promise.all(limits.map(({ key, period }) => quotas.giveBack(key, period)));
    for (const unit of results) if (unit.isErr()) return unit;
    return ok(undefined);
  });
}

/** Counts a wrong code of an app. The login fails in the same way if it cannot be counted. */
export async function countWrongCode(
  ports: Pick<Ports, "quotas" | "observer">,
  wrongCodes: SharedLimit,
  now: number,
): Promise<void> {
  const { key, period, limit } = wrongCodes;
  const unit = await ports.quotas.take(key, { day: period, limit, now, spacing: 0 });
  if (unit.isOk() && unit.value.granted) emitNear(ports, wrongCodes, unit.value.used);
}

/**
 * Emits an event when a counter comes near its limit, and another one at the limit.
 *
 * Repeats an event if units were given back and taken again. The counters of apps per country and
 * of unasked codes have no events.
 */
function emitNear(
  ports: Pick<Ports, "observer">,
  { key: { scope, subject }, limit, endsAt }: SharedLimit,
  used: number,
): void {
  if (scope === "unasked-codes-app" || scope === "sms-app-country") return;
  if (used !== Math.ceil(NEAR * limit) && used !== limit) return;
  const ofApp = scope === "sms-app" || scope === "wrong-codes-app" ? { appId: subject } : {};
  const ofCountry = scope === "sms-country" ? { country: subject } : {};
  emit(ports, { type: "sms.limit-near", scope, ...ofApp, ...ofCountry, used, limit, endsAt });
}
