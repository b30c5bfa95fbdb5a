import { ok, okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { lastBillDay } from "../bills/bill-day.js";
import { SIGN_IN_WINDOW } from "../operators/sign-in-attempts.js";
import { businessDay } from "../shared/business-day.js";
import { attempt } from "../shared/attempt.js";

/** The result of one run. */
export interface HousekeepingResult {
  /** The number of phone numbers whose expired SMS codes and wrong attempts were removed. */
  readonly phonesWithExpiredCodes: number;
  /** The number of removed counters of past business days. */
  readonly quotas: number;
  /** The number of phone numbers whose time of the last SMS was removed. */
  readonly spacings: number;
  /** The number of removed sessions, which had expired. */
  readonly sessions: number;
  /**
   * The number of customers without a recent login whose login lock was removed. The lock makes a
   * customer's logins run one after another.
   *
   * The ids of the customers stay stored.
   */
  readonly idleCustomers: number;
  /**
   * The number of removed lines and settlements of bills: of runs that did not finish, of replaced
   * readings, and of old bills.
   */
  readonly billLines: number;
  /** The number of removed deliveries of events, all of which had been delivered. */
  readonly eventDeliveries: number;
  /** The number of orders that lost the name of the customer. */
  readonly customerNames: number;
  /** The number of removed sessions of operators. */
  readonly operatorSessions: number;
  /** The number of names, addresses and browsers whose sign-in attempts no longer count. */
  readonly signInAttempts: number;
  /**
   * The number of unfinished changes by operators.
   *
   * The audit log now records their outcome as unknown.
   */
  readonly abandonedChanges: number;
  /** Whether there may be more rows to remove now, because one kind of row used all its steps. */
  readonly more: boolean;
}

/**
 * How long after its lease a change by an operator counts as abandoned, in milliseconds.
 *
 * Until then, the operators' page may continue the change, and record its real outcome.
 */
const ABANDONED_AFTER = 10 * 60_000;

/** The ports that {@link runHousekeeping} uses. */
export type HousekeepingPorts = Pick<
  Ports,
  | "auditLog"
  | "billLines"
  | "billSettlements"
  | "keptBills"
  | "codes"
  | "customerData"
  | "eventDeliveries"
  | "operatorSessions"
  | "quotas"
  | "sessions"
  | "signInAttempts"
  | "clock"
  | "policy"
>;

/**
 * Removes expired rows whose retention period in `policy` has ended.
 *
 * Also records that the outcome of a change by an operator is unknown if the process of the change
 * died.
 *
 * Removes
 *
 * - SMS codes, and counters of past days;
 * - sessions of customers and operators, login locks of idle customers, and old sign-in attempts;
 * - lines of unfinished bill runs, of replaced readings and of old bills;
 * - delivered events; and
 * - names of customers, if `policy.customerNameRetention` is set.
 *
 * Call it on a timer, and again soon if `more` is true. One step removes at most
 * `policy.housekeepingRows` rows. Several processes may run it at once. If it fails, the rows that
 * it removed before stay removed.
 *
 * @returns how many rows of each kind it removed, and whether more may be left.
 * @example
 * ```ts
 * import { runHousekeeping } from "@tillkit/core";
 *
 * const run = await runHousekeeping(ports);
 * const pause = run.isOk() && run.value.more ? 1_000 : 3_600_000;
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/stored-rows.md |
 *   Rows are small, reported if unreadable, and removed in time}
 */
export function runHousekeeping(ports: HousekeepingPorts): ResultAsync<HousekeepingResult, StorageFailure> {
  return attempt(async () => {
    const { billLines, billSettlements, codes, eventDeliveries, quotas, sessions, policy } = ports;
    const now = ports.clock.now();
    const { codeRetention, quotaRetention, sessionRetention, sessionTtl, smsCooldown, timeZone } = policy;
    // Every earlier day ended at least `quotaRetention` ago.
    const { date: day } = businessDay(timeZone, now - quotaRetention);
    const spacedBefore = now - Math.max(quotaRetention, smsCooldown);
    const idleBefore = now - sessionTtl - sessionRetention;
    const stagedBefore = now - policy.billLineRetention;
    const codeRemoval = await inSteps(policy, (limit) => codes.removeExpired(now - codeRetention, limit));
    if (codeRemoval.isErr()) return codeRemoval;
    const quotaRemoval = await inSteps(policy, (limit) => quotas.removeBefore(day, limit));
    if (quotaRemoval.isErr()) return quotaRemoval;
    const spacingRemoval = await inSteps(policy, (limit) => quotas.removeSpacings(spacedBefore, limit));
    if (spacingRemoval.isErr()) return spacingRemoval;
    const over = await inSteps(policy, (limit) => sessions.removeExpired(now - sessionRetention, limit));
    if (over.isErr()) return over;
    const idle = await inSteps(policy, (limit) => sessions.forgetIdle(idleBefore, limit));
    if (idle.isErr()) return idle;
    const lineRemoval = await inSteps(policy, (limit) => billLines.removeBefore(stagedBefore, limit));
    if (lineRemoval.isErr()) return lineRemoval;
    const settlementRemoval = await inSteps(policy, (limit) =>
      billSettlements.removeBefore(stagedBefore, limit),
    );
    if (settlementRemoval.isErr()) return settlementRemoval;
    const expiry = { before: stagedBefore, day: lastBillDay(now - policy.keptBillRetention) };
    const billRemoval = await inSteps(policy, (limit) => ports.keptBills.remove(expiry, limit));
    if (billRemoval.isErr()) return billRemoval;
    const deliveredBefore = now - policy.eventDeliveryRetention;
    const deliveryRemoval = await inSteps(policy, (limit) =>
      eventDeliveries.removeDelivered(deliveredBefore, limit),
    );
    if (deliveryRemoval.isErr()) return deliveryRemoval;
    const { customerNameRetention } = policy;
    const nameRemoval = await (customerNameRetention === undefined
      ? okAsync({ removed: 0, more: false })
      : inSteps(policy, (limit) => ports.customerData.forgetNames(now - customerNameRetention, limit)));
    if (nameRemoval.isErr()) return nameRemoval;
    const { operatorSessions, signInAttempts } = ports;
    const sessionRemoval = await inSteps(policy, (limit) =>
      operatorSessions.removeExpired(now - sessionRetention, limit),
    );
    if (sessionRemoval.isErr()) return sessionRemoval;
    const attemptRemoval = await inSteps(policy, (limit) =>
      signInAttempts.removeBefore(now - SIGN_IN_WINDOW, limit),
    );
    if (attemptRemoval.isErr()) return attemptRemoval;
    const auditRemoval = await inSteps(policy, (limit) =>
      ports.auditLog.recordAbandoned(now - ABANDONED_AFTER, now, limit),
    );
    if (auditRemoval.isErr()) return auditRemoval;
    const all = [
      codeRemoval,
      quotaRemoval,
      spacingRemoval,
      over,
      idle,
      lineRemoval,
      settlementRemoval,
      billRemoval,
      deliveryRemoval,
      nameRemoval,
      sessionRemoval,
      attemptRemoval,
      auditRemoval,
    ];
    return ok({
      phonesWithExpiredCodes: codeRemoval.value.removed,
      quotas: quotaRemoval.value.removed,
      spacings: spacingRemoval.value.removed,
      sessions: over.value.removed,
      idleCustomers: idle.value.removed,
      billLines: lineRemoval.value.removed + settlementRemoval.value.removed + billRemoval.value.removed,
      eventDeliveries: deliveryRemoval.value.removed,
      customerNames: nameRemoval.value.removed,
      operatorSessions: sessionRemoval.value.removed,
      abandonedChanges: auditRemoval.value.removed,
      signInAttempts: attemptRemoval.value.removed,
      more: all.some(({ value }) => value.more),
    });
  });
}

/** Runs steps until one removes fewer rows than its limit, or no steps are left. */
function inSteps(
  { housekeepingRows, housekeepingSteps }: Policy,
  remove: (limit: number) => ResultAsync<number, StorageFailure>,
) {
  return attempt(async () => {
    let count = 0;
    for (let step = 0; step < housekeepingSteps; step += 1) {
      const removal = await remove(housekeepingRows);
      if (removal.isErr()) return removal;
      count += removal.value;
      if (removal.value < housekeepingRows) return ok({ removed: count, more: false });
    }
    return ok({ removed: count, more: true });
  });
}
