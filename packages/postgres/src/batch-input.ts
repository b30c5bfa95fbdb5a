import { integer } from "./row.js";
import type { SqlQueries, SqlRow, SqlStatement, SqlValue } from "./sql-client.js";

/**
 * Returns SQL that reads `$1` as the table `asked`, with one row per call of a batch.
 *
 * The column `n` is the position of the call. `columns` lists the other columns with their types.
 */
export function batchInputSql(columns: string): string {
  return `json_to_recordset($1::text::json) as asked (n int, ${columns})`;
}

/** Returns the value of `$1` for {@link batchInputSql}: the values of each call, by column name. */
export function batchInputValues(
  calls: readonly Readonly<Record<string, SqlValue>>[],
): readonly [asked: string] {
  return [JSON.stringify(calls.map((values, n) => ({ n, ...values })))];
}

/** Maps the position of each call (column `n`) to its row. A call without a row is missing. */
export function rowByIndex(rows: readonly SqlRow[]): ReadonlyMap<number, SqlRow> {
  return new Map(rows.map((row) => [integer(row, "n"), row]));
}

/** Maps the position of each call to its rows, in their order. The list may be empty. */
export function rowsByIndex(
  calls: readonly unknown[],
  rows: readonly SqlRow[],
): ReadonlyMap<number, readonly SqlRow[]> {
  const found = new Map(calls.map((_, place): [number, SqlRow[]] => [place, []]));
  for (const row of rows) found.get(integer(row, "n"))?.push(row);
  return found;
}

/** A statement that runs several calls and returns at most one row per call. */
export interface BatchStatement<A, R> {
  /** Reads {@link batchInputSql}, and returns rows with the position of their call in `n`. */
  readonly statement: SqlStatement;
  /** Returns the values of a call, by column name. */
  readonly values: (call: A) => Readonly<Record<string, SqlValue>>;
  readonly answer: (row: SqlRow) => R;
}

/**
 * Runs several calls as one statement. The result maps the position of a call to its answer.
 *
 * A call without a row has no entry.
 */
export function runTogether<A, R>(
  sql: SqlQueries,
  { statement, values, answer }: BatchStatement<A, R>,
): (calls: readonly A[]) => Promise<ReadonlyMap<number, R>> {
  return async (calls) => {
    const rows = rowByIndex(await sql.query(statement, batchInputValues(calls.map(values))));
    return new Map([...rows].map(([place, row]) => [place, answer(row)]));
  };
}
