import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { businessDay } from "../shared/calendar.js";
import { steps } from "../shared/steps.js";

/** What one run removed. */
export interface Housekept {
  /** SMS codes that had expired. */
  readonly codes: number;
  /** Counters of business days that had ended. */
  readonly quotas: number;
  /** Times of last units, kept for a spacing that no longer held. */
  readonly spacings: number;
  /** Sessions that had expired. */
  readonly sessions: number;
  /** Customers whose logins were long ago: not their ids, only what the storage keeps to let their logins in one at a time. */
  readonly idleCustomers: number;
  /** Lines and settlements of bills whose reading did not come to its end. */
  readonly billLines: number;
  /** Whether a kind used up its steps: then there may be more to remove now. */
  readonly more: boolean;
}

/** The ports that housekeeping touches. */
export type HousekeepingPorts = Pick<
  Ports,
  "billLines" | "billSettlements" | "codes" | "quotas" | "sessions" | "clock" | "policy"
>;

/**
 * Removes what guards nothing any more: expired codes and sessions, counters of days that have ended, and lines of bills nobody compares, each once its `policy` retention is over. Call it on a
 * timer, and again soon when there is `more`. It works in steps of at most `policy.housekeepingRows` rows; several processes may run it at once.
 * What it removed before a failure stays removed.
 */
export function runHousekeeping(ports: HousekeepingPorts): ResultAsync<Housekept, StorageFailure> {
  return steps(async function* () {
    const { billLines, billSettlements, codes, quotas, sessions, policy } = ports;
    const now = ports.clock.now();
    const { codeRetention, quotaRetention, sessionRetention, sessionTtl, smsCooldown, timeZone } = policy;
    // Every day before the one of that instant ended at least the retention ago.
    const { date: day } = businessDay(timeZone, now - quotaRetention);
    const spacedBefore = now - Math.max(quotaRetention, smsCooldown);
    const expired = yield* inSteps(policy, (limit) => codes.removeExpired(now - codeRetention, limit));
    const ended = yield* inSteps(policy, (limit) => quotas.removeBefore(day, limit));
    const spaced = yield* inSteps(policy, (limit) => quotas.removeSpacings(spacedBefore, limit));
    const over = yield* inSteps(policy, (limit) => sessions.removeExpired(now - sessionRetention, limit));
    const idleBefore = now - sessionTtl - sessionRetention;
    const idle = yield* inSteps(policy, (limit) => sessions.forgetIdle(idleBefore, limit));
    const stagedBefore = now - policy.billLineRetention;
    const staged = yield* inSteps(policy, (limit) => billLines.removeBefore(stagedBefore, limit));
    const settled = yield* inSteps(policy, (limit) => billSettlements.removeBefore(stagedBefore, limit));
    return ok({
      codes: expired.removed,
      quotas: ended.removed,
      spacings: spaced.removed,
      sessions: over.removed,
      idleCustomers: idle.removed,
      billLines: staged.removed + settled.removed,
      more: [expired, ended, spaced, over, idle, staged, settled].some(({ more }) => more),
    });
  });
}

/** Takes steps until one finds less than it may remove, or there are no steps left. */
function inSteps(
  { housekeepingRows, housekeepingSteps }: Policy,
  remove: (limit: number) => ResultAsync<number, StorageFailure>,
) {
  return steps(async function* () {
    let removed = 0;
    for (let step = 0; step < housekeepingSteps; step += 1) {
      const found = yield* remove(housekeepingRows);
      removed += found;
      if (found < housekeepingRows) return ok({ removed, more: false });
    }
    return ok({ removed, more: true });
  });
}
