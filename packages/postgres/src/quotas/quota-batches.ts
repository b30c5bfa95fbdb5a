import type { QuotaGrant, QuotaKey, QuotaTake } from "@tillkit/core";
import type { BatchedMethod } from "../batching/batched.js";
import type { StatementVariants } from "../batching/statement-variants.js";
import { integer } from "../sql/row.js";
import { readRows } from "../batching/batched-methods.js";
import type { SqlQueries, SqlRow } from "../sql/sql-client.js";

/** A call that concerns the counter of one day. */
export interface DayCall extends QuotaKey, Pick<QuotaTake, "day"> {}

/** A request for one unit of a quota, without a minimum time between two units (spacing). */
export interface TakeCall extends DayCall, Pick<QuotaTake, "limit"> {}

/** Returns the values of the key columns of a counter, by column name. */
export function dayRecord({ subject, scope, day }: DayCall) {
  return { subject, scope, day };
}

/** Returns the key of a counter as one text. */
export function dayKey({ subject, scope, day }: DayCall): string {
  return JSON.stringify([subject, scope, day]);
}

/**
 * Creates the batched method that takes units without a spacing.
 *
 * A batch may have several calls for one counter. Their lowest limit applies. The batch gives a
 * unit to all of them or to none. If it gives none, each call runs alone.
 *
 * `find` returns the answer to a single call that receives no unit.
 */
export function takeUnits(
  sql: SqlQueries,
  take: StatementVariants,
  find: (call: DayCall) => Promise<QuotaGrant>,
): BatchedMethod<TakeCall, QuotaGrant> {
  const { runOne, runBatch } = readRows(sql, take, record);
  return {
    runOne: async (call) => {
      const wanted = { places: [0], ...call };
      const [row] = mayFit(wanted) ? await runOne(wanted) : [];
      return row === undefined ? find(call) : { granted: true, used: integer(row, "used") };
    },
    runBatch: async (calls) => {
      const wanted = [...byCounter(calls)].filter(mayFit);
      const taken = wanted.length === 0 ? new Map<number, readonly SqlRow[]>() : await runBatch(wanted);
      return new Map(wanted.flatMap(({ places }, n) => grants(taken.get(n) ?? [], places)));
    },
  };
}

/** The calls of a batch for one counter: their positions and their lowest limit. */
interface Wanted extends TakeCall {
  readonly places: readonly number[];
}

function byCounter(calls: readonly TakeCall[]): Iterable<Wanted> {
  const counters = new Map<string, Wanted>();
  for (const [place, call] of calls.entries()) {
    const key = dayKey(call);
    const { scope, subject, day } = call;
    const { limit, places } = counters.get(key) ?? { limit: call.limit, places: [] };
    const lowest = Math.min(limit, call.limit);
    counters.set(key, { scope, subject, day, limit: lowest, places: [...places, place] });
  }
  return counters.values();
}

/** Returns whether the units stay within the limit if no other unit is used. */
function mayFit({ places, limit }: Wanted): boolean {
  return places.length <= limit;
}

function record(wanted: Wanted) {
  return { units: wanted.places.length, max_units: wanted.limit, ...dayRecord(wanted) };
}

/** Returns the results of the calls for one counter. Its row already counts their units as used. */
function grants(
  rows: readonly SqlRow[],
  places: readonly number[],
): readonly (readonly [place: number, QuotaGrant])[] {
  return rows.flatMap((row) => {
    const before = integer(row, "used") - places.length;
    return places.map((place, nth) => [place, { granted: true, used: before + nth + 1 }] as const);
  });
}
