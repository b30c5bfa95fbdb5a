import { optionalText } from "./row.js";
import type { SqlRow } from "./sql-client.js";
import type { Tables } from "./tables.js";

/** Returns SQL for the names of the registered handlers, sorted. Null if there are none. */
export function handlersSql({ event_handlers: handlers }: Pick<Tables, "event_handlers">): string {
  return `(select json_agg(name order by name)::text from ${handlers})`;
}

/** Reads the names in the column `handlers`, which is the SQL of {@link handlersSql}. */
export function handlerNames(row: SqlRow): readonly string[] {
  const names: unknown = JSON.parse(optionalText(row, "handlers") ?? "[]");
  if (Array.isArray(names) && names.every((name) => typeof name === "string")) return names;
  throw new TypeError("The column handlers does not contain a list of names.");
}
