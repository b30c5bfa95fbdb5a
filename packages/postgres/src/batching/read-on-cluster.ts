import { arrayLiteral } from "../sql/array-literal.js";
import { batched, type BatchOptions } from "./batched.js";
import { batchedByShard } from "./batched-by-shard.js";
import type { SqlQueries, SqlRow, SqlStatement, SqlValue } from "../sql/sql-client.js";
import type { StoreClient } from "../cluster/store-client.js";

/** How to read rows by their keys on a cluster. `A` is a call, which names one key. */
export interface KeyedRead<A> {
  /** The table with the rows. */
  readonly table: string;
  /** Reads the row of one call. Placeholders: {@link KeyedRead.values}. */
  readonly one: SqlStatement;
  readonly values: (call: A) => readonly SqlValue[];
  /**
   * Reads rows of several calls. Placeholders: an array literal for each column of the key.
   *
   * May return rows of other keys, because it combines the columns of different calls.
   */
  readonly many: SqlStatement;
  /**
   * Returns the texts of the key, in the order of the placeholders of {@link KeyedRead.many}. The
   * first one is the value of the distribution column.
   */
  readonly keyOf: (call: A) => readonly [distribution: string, ...more: string[]];
  /**
   * Converts a result of the statements to a row of the table. By default, a result is such a row.
   */
  readonly toRow?: (result: SqlRow) => SqlRow;
  readonly keyOfRow: (row: SqlRow) => readonly string[];
  /** Returns whether a row with the key of the call is its result. By default, it always is. */
  readonly accepts?: (row: SqlRow, call: A) => boolean;
}

/**
 * Creates the function that reads rows by their keys on a cluster.
 *
 * Concurrent calls share statements. A cluster cannot route a join with the calls of a batch. It
 * routes a condition on a list of keys to the nodes of the keys, so this function matches the rows
 * with the calls. The coordinator reads the rows of all nodes with one statement. With direct
 * connections, one statement per shard reads the rows on the node of the shard.
 */
export function readOnCluster<A>(
  sql: StoreClient,
  { table, one, values, many, keyOf, toRow = (row) => row, keyOfRow, accepts = () => true }: KeyedRead<A>,
  batching?: BatchOptions,
): (call: A) => Promise<readonly SqlRow[]> {
  const runOne = async (call: A, queries: SqlQueries) => (await queries.query(one, values(call))).map(toRow);
  const runBatch = async (calls: readonly A[], queries: SqlQueries) => {
    const keys = calls.map(keyOf);
    const columns = keys[0]?.map((_, column) => [...new Set(keys.flatMap((key) => key[column] ?? []))]);
    const results = await queries.query(many, (columns ?? []).map(arrayLiteral));
    const rows = new Map(results.map(toRow).map((row) => [JSON.stringify(keyOfRow(row)), row]));
    return new Map(
      calls.map((call, place) => {
        const row = rows.get(JSON.stringify(keys[place]));
        return [place, row !== undefined && accepts(row, call) ? [row] : []];
      }),
    );
  };
  if (sql.hasNodes) {
    const distributionValueOf = (call: A) => keyOf(call)[0];
    return batchedByShard(sql, table, { distributionValueOf, runOne, runBatch }, batching);
  }
  return batched(
    {
      maxConcurrent: 1,
      readsNodes: true,
      runOne: (call) => runOne(call, sql),
      runBatch: (calls) => runBatch(calls, sql),
    },
    batching,
  );
}
