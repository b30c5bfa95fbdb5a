import type { DueWork } from "@tillkit/core/ports";
import { integer, optionalInteger, optionalMember } from "../sql/row.js";
import type { SqlRow } from "../sql/sql-client.js";

/**
 * Returns SQL that counts up to `$2` due rows of `table` at the time `$1`.
 *
 * `open` is the SQL condition for unfinished rows. `column` holds the due time and has an index.
 */
export function dueWorkSql(table: string, column: string, open: string): string {
  return `select count(*) as due, min(due_ms) as oldest_due_ms from (
      select ${column} as due_ms from ${table} where ${open} and ${column} <= $1 order by ${column} limit $2
    ) due`;
}

/** Reads the result of {@link dueWorkSql}. */
export function toDueWork([row]: readonly SqlRow[]): DueWork {
  if (row === undefined) throw new Error("The count query returned no row.");
  return {
    due: integer(row, "due"),
    ...optionalMember("oldestDueAt", optionalInteger(row, "oldest_due_ms")),
  };
}
