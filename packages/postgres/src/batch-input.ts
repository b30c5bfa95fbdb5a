import { integer } from "./row.js";
import type { SqlRow, SqlValue } from "./sql-client.js";

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

/** Maps the position of each call to its rows, in their order. The list may be empty. */
export function rowsByIndex(
  calls: readonly unknown[],
  rows: readonly SqlRow[],
): ReadonlyMap<number, readonly SqlRow[]> {
  const found = new Map(calls.map((_, place): [number, SqlRow[]] => [place, []]));
  for (const row of rows) found.get(integer(row, "n"))?.push(row);
  return found;
}
