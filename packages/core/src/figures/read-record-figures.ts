import { ok, type ResultAsync } from "neverthrow";
import type { OpenExceptions } from "../bills/bill-exception-store.js";
import type { StorageFailure } from "../errors/failure.js";
import { listMissingBillDays, type MissingBillDayPorts } from "../operations/list-missing-bill-days.js";
import { type DueQueues, readDueQueues } from "../operations/read-queues.js";
import type { Merchant } from "../bills/bill.js";
import type { Ports } from "../ports.js";
import type { OpenRefunds } from "../refunds/refund-store.js";
import { attempt } from "../shared/attempt.js";
import type { PayToolCredentialExpiry } from "../wallets/wallet.js";

/** The ports that {@link readRecordFigures} uses. */
export type RecordFiguresPorts = MissingBillDayPorts &
  Pick<Ports, "orderSearch" | "refundApprovals" | "eventDeliveries">;

/**
 * What waits for a person or for a background task, according to the stored data.
 *
 * A kind without such matters is absent from its list. Counts stop at the limit of the reading.
 */
export interface RecordFigures {
  /** The orders with an open alarm, by the type of the newest one. */
  readonly alarms: readonly { readonly type: string; readonly count: number }[];
  readonly refunds: readonly OpenRefunds[];
  /** The refunds that wait for a second operator. */
  readonly approvals: number;
  readonly exceptions: readonly OpenExceptions[];
  /** The days whose bills were not compared, by account. */
  readonly missingDays: readonly (Merchant & { readonly count: number })[];
  /** Orders, refunds and events that are due, and parked events. */
  readonly queues: DueQueues;
  /** The earliest expiry of each credential of a channel, sorted by time. */
  readonly credentials: readonly Pick<PayToolCredentialExpiry, "payChannel" | "name" | "expiresAt">[];
}

/**
 * Reads what waits, from the stored data, for metrics and for the command line.
 *
 * It does not matter which process, command or operator caused a matter, or when.
 *
 * @param expiries - when the credentials expire, as {@link readCredentialExpiries} returns it.
 * @param atMost - the limit of each count, so that the cost does not grow with the stored data.
 * @example
 * ```ts
 * import { readRecordFigures } from "@tillkit/core";
 *
 * const figures = await readRecordFigures(ports, []);
 * if (figures.isOk()) console.log(figures.value.alarms);
 * ```
 * @returns the figures. `oldestAt` and `oldestDueAt` are epoch milliseconds.
 */
export function readRecordFigures(
  ports: RecordFiguresPorts,
  expiries: readonly PayToolCredentialExpiry[],
  atMost = 1_000,
): ResultAsync<RecordFigures, StorageFailure> {
  return attempt(async () => {
    const alarms = await ports.orderSearch.alarms(undefined, atMost);
    if (alarms.isErr()) return alarms;
    const refunds = await ports.refunds.openByStatus(atMost);
    if (refunds.isErr()) return refunds;
    const approvals = await ports.refundApprovals.countWaiting(undefined, atMost);
    if (approvals.isErr()) return approvals;
    const exceptions = await ports.billExceptions.openByKind(atMost);
    if (exceptions.isErr()) return exceptions;
    const missing = await listMissingBillDays(ports);
    if (missing.isErr()) return missing;
    const queues = await readDueQueues(ports, atMost);
    if (queues.isErr()) return queues;
    return ok({
      alarms: countByType(alarms.value),
      refunds: refunds.value,
      approvals: approvals.value,
      exceptions: exceptions.value,
      missingDays: missing.value.map(({ days, ...merchant }) => ({ ...merchant, count: days.length })),
      queues: queues.value,
      credentials: firstOfEachKind(expiries),
    });
  });
}

function countByType(alarms: readonly { readonly type: string }[]): RecordFigures["alarms"] {
  const counts = new Map<string, number>();
  for (const { type } of alarms) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => ({ type, count }));
}

/** Returns the first expiry of each credential of a channel. `expiries` has the earliest first. */
function firstOfEachKind(expiries: readonly PayToolCredentialExpiry[]): RecordFigures["credentials"] {
  const first = new Map<string, RecordFigures["credentials"][number]>();
  for (const { payChannel, name, expiresAt } of expiries) {
    const kind = `${payChannel} ${name}`;
    if (!first.has(kind)) first.set(kind, { payChannel, name, expiresAt });
  }
  return [...first.values()];
}
