import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { businessDay } from "../shared/calendar.js";
import { attempt } from "../shared/attempt.js";

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
  return attempt(async () => {
    const { billLines, billSettlements, codes, quotas, sessions, policy } = ports;
    const now = ports.clock.now();
    const { codeRetention, quotaRetention, sessionRetention, sessionTtl, smsCooldown, timeZone } = policy;
    // Every day before the one of that instant ended at least the retention ago.
    const { date: day } = businessDay(timeZone, now - quotaRetention);
    const spacedBefore = now - Math.max(quotaRetention, smsCooldown);
    const idleBefore = now - sessionTtl - sessionRetention;
    const stagedBefore = now - policy.billLineRetention;
    const expired = await inSteps(policy, (limit) => codes.removeExpired(now - codeRetention, limit));
    if (expired.isErr()) return expired;
    const ended = await inSteps(policy, (limit) => quotas.removeBefore(day, limit));
    if (ended.isErr()) return ended;
    const spaced = await inSteps(policy, (limit) => quotas.removeSpacings(spacedBefore, limit));
    if (spaced.isErr()) return spaced;
    const over = await inSteps(policy, (limit) => sessions.removeExpired(now - sessionRetention, limit));
    if (over.isErr()) return over;
    const idle = await inSteps(policy, (limit) => sessions.forgetIdle(idleBefore, limit));
    if (idle.isErr()) return idle;
    const staged = await inSteps(policy, (limit) => billLines.removeBefore(stagedBefore, limit));
    if (staged.isErr()) return staged;
    const settled = await inSteps(policy, (limit) => billSettlements.removeBefore(stagedBefore, limit));
    if (settled.isErr()) return settled;
    const all = [expired, ended, spaced, over, idle, staged, settled];
    return ok({
      codes: expired.value.removed,
      quotas: ended.value.removed,
      spacings: spaced.value.removed,
      sessions: over.value.removed,
      idleCustomers: idle.value.removed,
      billLines: staged.value.removed + settled.value.removed,
      more: all.some(({ value }) => value.more),
    });
  });
}

/** Takes steps until one finds less than it may remove, or there are no steps left. */
function inSteps(
  { housekeepingRows, housekeepingSteps }: Policy,
  remove: (limit: number) => ResultAsync<number, StorageFailure>,
) {
  return attempt(async () => {
    let removed = 0;
    for (let step = 0; step < housekeepingSteps; step += 1) {
      const foundResult = await remove(housekeepingRows);
      if (foundResult.isErr()) return foundResult;
      const found = foundResult.value;
      removed += found;
      if (found < housekeepingRows) return ok({ removed, more: false });
    }
    return ok({ removed, more: true });
  });
}
