import type { DueWork } from "@tillkit/core";
import { present } from "./order-row.js";
import { integer, optionalInteger } from "./row.js";
import type { SqlRow } from "./sql-client.js";

/** Counts, up to `$2`, the rows of `table` that are `open` and whose time in `column` has come at `$1`: that many entries of its index are read. */
export function dueWorkSql(table: string, column: string, open: string): string {
  return `select count(*) as due, min(due_ms) as oldest_due_ms from (
      select ${column} as due_ms from ${table} where ${open} and ${column} <= $1 order by ${column} limit $2
    ) due`;
}

/** What `dueWorkSql` counted. */
export function toDueWork([row]: readonly SqlRow[]): DueWork {
  if (row === undefined) throw new Error("Counting gave no row.");
  return { due: integer(row, "due"), ...present("oldestDueAt", optionalInteger(row, "oldest_due_ms")) };
}
