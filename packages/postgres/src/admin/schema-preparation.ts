import { booleanValue } from "../sql/row.js";
import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted, tablesOf } from "../sql/tables.js";

/** Returns whether `schema` exists. */
export async function hasSchema(sql: SqlQueries, schema: string): Promise<boolean> {
  const exists = statement(
    "schema_exists",
    "select exists (select from pg_catalog.pg_namespace where nspname = $1::text) as present",
  );
  const [answer] = await sql.query(exists, [schema]);
  return answer !== undefined && booleanValue(answer, "present");
}

/**
 * Returns the SQL that precedes the migrations in their transaction.
 *
 * It creates the schema unless it is `present`, sets the owner and the search path, and creates
 * `schema_migrations` if it is missing.
 */
export function preparationSql(schema: string, owner: string | undefined, present: boolean): string {
  const authorization = owner === undefined ? "" : ` authorization ${quoted(owner)}`;
  return [
    ...(present ? [] : [`create schema ${quoted(schema)}${authorization};`]),
    ...(owner === undefined ? [] : [`set local role ${quoted(owner)};`]),
    `set local search_path to ${quoted(schema)};`,
    `create table if not exists ${tablesOf(schema).schema_migrations} (
  version integer primary key,
  name text not null,
  checksum text not null,
  breaking boolean not null,
  applied_at timestamptz not null default now()
);`,
  ].join("\n");
}
