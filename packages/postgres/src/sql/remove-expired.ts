import { text } from "./row.js";
import type { SqlClient, SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";

/**
 * The rows to remove.
 *
 * `key` is the primary key of `table`, and all its columns have the type text. `column` has an
 * index.
 */
export interface RemovalParts {
  readonly method: string;
  readonly table: string;
  readonly key: readonly string[];
  readonly column: string;
  /** The SQL condition for rows that can be removed. By default all. */
  readonly removable?: string;
  /** SQL that removes values of a row. By default the whole row is removed. */
  readonly set?: string;
}

/** The statements that remove rows whose `column` is below a value. */
export interface RemovalStatements {
  readonly key: readonly string[];
  /**
   * Finds the keys of rows to remove, lowest value first. Placeholders: value, limit.
   *
   * Takes no locks, so that a distributed database can run it on every node.
   */
  readonly due: SqlStatement;
  /** Placeholders: keys as a JSON array, value. */
  readonly remove: SqlStatement;
}

/** Creates the statements that remove rows of one table. */
export function removalStatements({
  method,
  table,
  key,
  column,
  removable = "true",
  set,
}: RemovalParts): RemovalStatements {
  const names = key.join(", ");
  const types = key.map((name) => `${name} text`).join(", ");
  return {
    key,
    due: statement(
      `${method}_due`,
      `select ${names} from ${table} where ${column} < $1 and ${removable} order by ${column} limit $2`,
    ),
    // The statement repeats the condition, so a row that changed before it was locked stays.
    // Removals lock rows in the order of their keys. `is true` keeps PostgreSQL from using the
    // index of the column, which would lock the rows in another order.
    remove: statement(
      method,
      `${set === undefined ? `delete from ${table} r using` : `update ${table} r set ${set} from`}
         (select ${names} from json_to_recordset($1::text::json) as due (${types}) order by ${names}) due
       where ${key.map((name) => `r.${name} = due.${name}`).join(" and ")} and (r.${column} < $2) is true and ${removable}
       returning 1 as removed`,
    ),
  };
}

/**
 * Deletes or changes up to `limit` rows below `before`, lowest value first. Returns their number.
 *
 * A call counts only the rows that it removed itself.
 */
export async function removeRows(
  sql: SqlClient,
  { key, due, remove }: RemovalStatements,
  before: number | string,
  limit: number,
): Promise<number> {
  const keys = (await sql.query(due, [before, limit])).map((row) =>
    Object.fromEntries(key.map((name) => [name, text(row, name)])),
  );
  if (keys.length === 0) return 0;
  return (await sql.query(remove, [JSON.stringify(keys), before])).length;
}
