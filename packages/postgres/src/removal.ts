import { text } from "./row.js";
import type { SqlClient, SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";

/** Which rows a removal is about: `key` is the primary key of `table`, all of it text, and `column` has an index. */
export interface RemovalParts {
  readonly verb: string;
  readonly table: string;
  readonly key: readonly string[];
  readonly column: string;
}

/** The statements that remove rows whose `column` is below a value. */
export interface RemovalStatements {
  readonly key: readonly string[];
  /** The value, how many: the keys of rows to go, lowest first. It locks nothing, so it may ask every node there is. */
  readonly due: SqlStatement;
  /** Keys as a JSON array, the value. */
  readonly remove: SqlStatement;
}

/** The statements that remove rows of one table. */
export function removalStatements({ verb, table, key, column }: RemovalParts): RemovalStatements {
  const names = key.join(", ");
  const types = key.map((name) => `${name} text`).join(", ");
  return {
    key,
    due: statement(
      `${verb}_due`,
      `select ${names} from ${table} where ${column} < $1 order by ${column} limit $2`,
    ),
    // The condition is asked again once a row's lock is had: what has come to life meanwhile stays. Removals that meet lock in the order of the key, and so
    // the condition is none that an index could answer: rows found by the column would be locked in its order.
    remove: statement(
      verb,
      `delete from ${table} r
       using (select ${names} from json_to_recordset($1::text::json) as due (${types}) order by ${names}) due
       where ${key.map((name) => `r.${name} = due.${name}`).join(" and ")} and (r.${column} < $2) is true
       returning 1 as removed`,
    ),
  };
}

/**
 * Deletes up to `limit` rows that are below `before`, lowest first, and counts them. Of calls at once each counts what it deleted itself, so that one whose rows
 * another was faster with counts fewer.
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
