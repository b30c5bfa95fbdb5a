import { optionalText } from "./row.js";
import type { SqlRow } from "./sql-client.js";
import type { Tables } from "./tables.js";

/** Returns SQL for the names of the registered handlers, sorted. Null if there are none. */
export function handlersSql({ event_handlers: handlers }: Pick<Tables, "event_handlers">): string {
  // A name contains no line feed. Unlike `json_agg` the function is immutable, which a distributed
  // database requires in a statement that writes.
  return `(select string_agg(name, E'\\n' order by name) from ${handlers})`;
}

/** Reads the names in the column `handlers`, which is the SQL of {@link handlersSql}. */
export function handlerNames(row: SqlRow): readonly string[] {
  return optionalText(row, "handlers")?.split("\n") ?? [];
}
