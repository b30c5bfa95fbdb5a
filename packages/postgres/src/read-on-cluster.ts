import { arrayLiteral } from "./array-literal.js";
import type { BatchedMethod } from "./batched.js";
import type { SqlQueries, SqlRow, SqlStatement, SqlValue } from "./sql-client.js";

/** How to read rows by their keys on a cluster. `A` is a call, which names one key. */
export interface KeyedRead<A> {
  /** Reads the row of one call. Placeholders: {@link KeyedRead.values}. */
  readonly one: SqlStatement;
  readonly values: (call: A) => readonly SqlValue[];
  /**
   * Reads rows of several calls. Placeholders: an array literal for each column of the key.
   *
   * May return rows of other keys, because it combines the columns of different calls.
   */
  readonly many: SqlStatement;
  /** Returns the texts of the key, in the order of the placeholders of {@link KeyedRead.many}. */
  readonly keyOf: (call: A) => readonly string[];
  readonly keyOfRow: (row: SqlRow) => readonly string[];
  /** Whether the row answers the call. Absent: a row with the key of the call always does. */
  readonly accepts?: (row: SqlRow, call: A) => boolean;
}

/**
 * Creates a batched method that reads rows by their keys on a cluster.
 *
 * A cluster cannot route a join with the calls of a batch. It routes a condition on a list of keys
 * to the nodes of the keys, so the rows are matched with the calls here.
 */
export function readOnCluster<A>(
  sql: SqlQueries,
  { one, values, many, keyOf, keyOfRow, accepts = () => true }: KeyedRead<A>,
): BatchedMethod<A, readonly SqlRow[]> {
  return {
    runOne: async (call) => sql.query(one, values(call)),
    runBatch: async (calls) => {
      const keys = calls.map(keyOf);
      const columns = keys[0]?.map((_, column) => [...new Set(keys.flatMap((key) => key[column] ?? []))]);
      const rows = new Map(
        (await sql.query(many, (columns ?? []).map(arrayLiteral))).map((row) => [
          JSON.stringify(keyOfRow(row)),
          row,
        ]),
      );
      return new Map(
        calls.map((call, place) => {
          const row = rows.get(JSON.stringify(keys[place]));
          return [place, row !== undefined && accepts(row, call) ? [row] : []];
        }),
      );
    },
  };
}
