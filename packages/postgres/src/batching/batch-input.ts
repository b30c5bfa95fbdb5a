import { integer } from "../sql/row.js";
import type { SqlRow, SqlValue } from "../sql/sql-client.js";

/**
 * Returns SQL that reads `$1` as the table `asked`, with one row per call of a batch.
 *
 * The column `n` is the position of the call. `columns` lists the other columns with their types.
 */
export function batchInputSql(columns: string): string {
  return `json_to_recordset($1::text::json) as asked (n int, ${columns})`;
}

/**
 * The values of a call, by column name.
 *
 * `undefined` is null in SQL, and is left out of the JSON of a batch.
 */
export type CallValues = Readonly<Record<string, SqlValue | undefined>>;

/** Returns the value of `$1` for {@link batchInputSql}: the values of each call. */
export function batchInputValues(calls: readonly CallValues[]): readonly [asked: string] {
  return [`[${calls.map(withPosition).join(",")}]`];
}

/**
 * Returns the values and the position of a call as JSON. Edits the text, to avoid copying the
 * values.
 */
function withPosition(values: CallValues, n: number): string {
  const members = JSON.stringify(values).slice(1);
  return `{"n":${n}${members === "}" ? "" : ","}${members}`;
}

/** Maps the position of each call to its rows, in their order. A call may have no rows. */
export function rowsByIndex(
  calls: readonly unknown[],
  rows: readonly SqlRow[],
): ReadonlyMap<number, readonly SqlRow[]> {
  const found = new Map(calls.map((_, place): [number, SqlRow[]] => [place, []]));
  for (const row of rows) found.get(integer(row, "n"))?.push(row);
  return found;
}
