import { batchInputValues, type CallValues, rowsByIndex } from "./batch-input.js";
import { batched, type BatchedMethod, type BatchOptions } from "./batched.js";
import type { StatementVariants } from "./statement-variants.js";
import { type FilledStatement, insertedOrExisting } from "./insert-once.js";
import type { SqlQueries, SqlRow, SqlValue } from "../sql/sql-client.js";
import { byDistribution, type StoreClient } from "../cluster/store-client.js";

/** Returns the values of a call. */
type ValuesOf<A> = (call: A) => CallValues;

/** How a batched method runs its calls. */
type Runs<A, R> = Pick<BatchedMethod<A, R>, "runOne" | "runBatch">;

/** Returns the values of the placeholders of {@link StatementVariants.one}. */
export function singleValues({ columns }: StatementVariants, values: CallValues): readonly SqlValue[] {
  return columns.map((column) => values[column] ?? null);
}

/** Creates a batched method for a query. A call may have no rows. */
export function readRows<A>(
  sql: SqlQueries,
  variants: StatementVariants,
  valuesOf: ValuesOf<A>,
): Runs<A, readonly SqlRow[]> {
  return {
    runOne: async (call) => sql.query(variants.one, singleValues(variants, valuesOf(call))),
    runBatch: async (calls) =>
      rowsByIndex(calls, await sql.query(variants.many, batchInputValues(calls.map(valuesOf)))),
  };
}

/**
 * Like {@link readRows}, for a statement that locks rows.
 *
 * If the batch returns no row for a call, the call runs again alone, and then waits for the lock.
 */
export function changeRows<A>(
  sql: SqlQueries,
  variants: StatementVariants,
  valuesOf: ValuesOf<A>,
): Runs<A, readonly SqlRow[]> {
  const { runOne, runBatch } = readRows(sql, variants, valuesOf);
  return {
    runOne,
    runBatch: async (calls) => new Map([...(await runBatch(calls))].filter(([, rows]) => rows.length > 0)),
  };
}

/**
 * Like {@link readRows}, for a statement that inserts a row unless its key exists.
 *
 * The statement returns the stored row, or no row if a concurrent call has just inserted it.
 * Without a row, a call of a batch runs again alone, and a single call runs the statement `find`.
 */
export function insertRows<A>(
  sql: SqlQueries,
  variants: StatementVariants,
  valuesOf: ValuesOf<A>,
  find: (call: A) => FilledStatement,
): Runs<A, SqlRow> {
  const { runBatch } = readRows(sql, variants, valuesOf);
  return {
    runOne: (call) =>
      insertedOrExisting(
        sql,
        { statement: variants.one, values: singleValues(variants, valuesOf(call)) },
        find(call),
      ),
    runBatch: async (calls) =>
      new Map(
        [...(await runBatch(calls))].flatMap(([place, [row]]) => (row === undefined ? [] : [[place, row]])),
      ),
  };
}

/** Where the rows of a call are: the table, and the value of its distribution column. */
export interface RowsOf<A> {
  readonly table: string;
  readonly valueOf: (call: A) => string;
}

/**
 * Batches calls on one server. On a cluster, runs each call alone, on the node of its rows.
 *
 * `method` creates the method over a runner of statements.
 */
export function batchedOnServer<A, R>(
  sql: StoreClient,
  { table, valueOf }: RowsOf<A>,
  method: (queries: SqlQueries) => BatchedMethod<A, R>,
  batching?: BatchOptions,
): (call: A) => Promise<R> {
  return byDistribution(sql, {
    server: batched(method(sql), batching),
    cluster: (call) => method(sql.near(table, valueOf(call))).runOne(call),
  });
}
