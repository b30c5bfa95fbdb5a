import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";

/** Lets one transaction at a time change the tables of `schema`, until the transaction ends. */
export async function migrationLock(sql: SqlQueries, schema: string): Promise<void> {
  const lock = statement(
    "migrate_lock",
    "select pg_advisory_xact_lock(hashtextextended($1, 0)) is null as locked",
  );
  await sql.query(lock, [JSON.stringify(["tillkit migrate", schema])]);
}
