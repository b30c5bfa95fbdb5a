import type { TimelineEntry } from "@tillkit/core";
import { causesEvent } from "@tillkit/core/ports";
import { optionalText } from "../sql/row.js";
import type { SqlQueries, SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/** Returns SQL for the names of the registered handlers, sorted. Null if there are none. */
export function handlersSql({ event_handlers: handlers }: Pick<Tables, "event_handlers">): string {
  // A name contains no line feed. Unlike `json_agg`, `string_agg` is immutable, which a distributed
  // database requires in a statement that writes.
  return `(select string_agg(name, E'\\n' order by name) from ${handlers})`;
}

/** Reads the names in the column `handlers`, which is the SQL of {@link handlersSql}. */
export function handlerNames(row: SqlRow): readonly string[] {
  return optionalText(row, "handlers")?.split("\n") ?? [];
}

/**
 * Creates the function that reads the names of the handlers for new timeline entries.
 *
 * Reads nothing if no entry causes an event, because then nothing is delivered to handlers.
 */
export function handlersReader(
  tables: Pick<Tables, "event_handlers">,
): (queries: SqlQueries, entries: readonly TimelineEntry[]) => Promise<readonly string[]> {
  const list = statement("event_handler_names", `select ${handlersSql(tables)} as handlers`);
  return async (queries, entries) =>
    entries.some(causesEvent) ? (await queries.query(list, [])).flatMap(handlerNames) : [];
}
