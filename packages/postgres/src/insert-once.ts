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
  /** What must hold for a new row, over the same placeholders; nothing unless told. */
  readonly provided?: string;
}

/** Stores a row unless its key is held, and gives the row that is there then. */
export function insertOnceStatement({
  verb,
  table,
  columns,
  where,
  provided,
}: InsertOnceParts): SqlStatement {
  const list = columns.join(", ");
  const values = columns.map((_, index) => `$${index + 1}`).join(", ");
  return statement(
    verb,
    `with made as (
       insert into ${table} (${list}) ${provided === undefined ? `values (${values})` : `select ${values} where ${provided}`}
       on conflict do nothing returning ${list}
     )
     select ${list} from made
     union all
     select ${list} from ${table} where ${where} and not exists (select from made)`,
  );
}

/** A statement with its values. */
interface Filled {
  readonly statement: SqlStatement;
  readonly values: readonly SqlValue[];
}

/**
 * The row that `insert` made or found. A row that a concurrent call stored while `insert` waited for it is not in what that statement can see: then, and
 * only then, it takes `find` as well.
 */
export async function madeOrHeld(sql: SqlQueries, insert: Filled, find: Filled): Promise<SqlRow> {
  const held = await madeOrHeldIfProvided(sql, insert, find);
  if (held === undefined) throw new Error("The row was neither stored nor found.");
  return held;
}

/** The same for an `insert` that makes rows only where something is `provided`: `undefined` where it is not, and no row is held. */
export async function madeOrHeldIfProvided(
  sql: SqlQueries,
  insert: Filled,
  find: Filled,
): Promise<SqlRow | undefined> {
  const [row] = await sql.query(insert.statement, insert.values);
  if (row !== undefined) return row;
  const [held] = await sql.query(find.statement, find.values);
  return held;
}
