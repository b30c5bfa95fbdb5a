import type { SqlQueries, SqlRow, SqlStatement, SqlValue } from "./sql-client.js";
import { statement } from "./statement.js";

/** How rows of one table are stored once. */
export interface InsertOnceParts {
  readonly verb: string;
  readonly table: string;
  /** Columns with the values for them, in the order of the placeholders. */
  readonly columns: readonly string[];
  /** What finds the row already held, over the same placeholders. */
  readonly where: string;
}

/** Stores a row unless its key is held, and gives the row that is there then. */
export function insertOnceStatement({ verb, table, columns, where }: InsertOnceParts): SqlStatement {
  const list = columns.join(", ");
  return statement(
    verb,
    `with made as (
       insert into ${table} (${list}) values (${columns.map((_, index) => `$${index + 1}`).join(", ")})
       on conflict do nothing returning ${list}
     )
     select ${list} from made
     union all
     select ${list} from ${table} where ${where} and not exists (select from made)`,
  );
}

/**
 * The row that `insert` made or found. A row that a concurrent call stored while `insert` waited for it is not in what that statement can see: then, and
 * only then, it takes `find` as well.
 */
export async function madeOrHeld(
  sql: SqlQueries,
  insert: { readonly statement: SqlStatement; readonly values: readonly SqlValue[] },
  find: { readonly statement: SqlStatement; readonly values: readonly SqlValue[] },
): Promise<SqlRow> {
  const [row] = await sql.query(insert.statement, insert.values);
  if (row !== undefined) return row;
  const [held] = await sql.query(find.statement, find.values);
  if (held === undefined) throw new Error("The row was neither stored nor found.");
  return held;
}
