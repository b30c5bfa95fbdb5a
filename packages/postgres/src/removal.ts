import { integer } from "./row.js";
import type { SqlRow, SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";

/** Which rows a removal is about: `key` is the primary key of `table`, the column it is spread by first, and `column` has an index. */
export interface RemovalParts {
  readonly verb: string;
  readonly table: string;
  readonly key: readonly [spread: string, ...more: string[]];
  readonly column: string;
}

/**
 * Deletes up to `$2` rows whose `column` is below `$1`, the lowest first, and counts them. Rows that somebody else is at are skipped, and a row that
 * was changed meanwhile is looked at again, so it waits for nobody and removes nothing that has come to life.
 */
export function removalStatement({ verb, table, key, column }: RemovalParts): SqlStatement {
  const [spread] = key;
  // The list of values makes the planner take the primary key whatever it thinks of the limit; with the join alone it may read the whole table.
  return statement(
    verb,
    `with due as (
       select ${key.join(", ")} from ${table} where ${column} < $1
       order by ${column} limit $2
       for update skip locked
     ), gone as (
       delete from ${table} r using due
       where r.${spread} = any (array(select ${spread} from due))
         and ${key.map((name) => `r.${name} = due.${name}`).join(" and ")}
       returning r.${column}
     )
     select count(*) as removed from gone`,
  );
}

/** How many rows a removal says it deleted. */
export function removedCount([row]: readonly SqlRow[]): number {
  if (row === undefined) throw new Error("Counting gave no row.");
  return integer(row, "removed");
}
