import { integer } from "./row.js";
import type { SqlQueries, SqlRow, SqlStatement, SqlValue } from "./sql-client.js";

/** A table called `asked` with a row an ask, read from `$1`: `n`, the place of the ask, and `columns` with their types. */
export function askedSql(columns: string): string {
  return `json_to_recordset($1::text::json) as asked (n int, ${columns})`;
}

/** What `askedSql` reads: the values of each ask, by the names of its columns. */
export function askedValues(asks: readonly Readonly<Record<string, SqlValue>>[]): readonly [asked: string] {
  return [JSON.stringify(asks.map((values, n) => ({ n, ...values })))];
}

/** The row of each ask that has one, by its place: the column `n`. */
export function rowByPlace(rows: readonly SqlRow[]): ReadonlyMap<number, SqlRow> {
  return new Map(rows.map((row) => [integer(row, "n"), row]));
}

/** The rows of every ask by its place, in the order they came in; an ask without rows has none. */
export function rowsByPlace(
  asks: readonly unknown[],
  rows: readonly SqlRow[],
): ReadonlyMap<number, readonly SqlRow[]> {
  const found = new Map(asks.map((_, place): [number, SqlRow[]] => [place, []]));
  for (const row of rows) found.get(integer(row, "n"))?.push(row);
  return found;
}

/** How one statement answers several asks with at most a row each. */
export interface AskedStatement<A, R> {
  /** Reads `askedSql`, and gives rows with the place of their ask in `n`. */
  readonly statement: SqlStatement;
  /** The values of an ask, by the names of its columns. */
  readonly values: (ask: A) => Readonly<Record<string, SqlValue>>;
  readonly answer: (row: SqlRow) => R;
}

/** Answers several asks by one statement, each under its place; one without a row has no answer. */
export function askTogether<A, R>(
  sql: SqlQueries,
  { statement, values, answer }: AskedStatement<A, R>,
): (asks: readonly A[]) => Promise<ReadonlyMap<number, R>> {
  return async (asks) => {
    const rows = rowByPlace(await sql.query(statement, askedValues(asks.map(values))));
    return new Map([...rows].map(([place, row]) => [place, answer(row)]));
  };
}
