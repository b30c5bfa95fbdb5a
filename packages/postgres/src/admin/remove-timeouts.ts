import type { SqlQueries } from "../sql/sql-client.js";

/**
 * Removes the timeouts of a transaction that waits for another transaction or reads large tables.
 */
export async function removeTimeouts(sql: SqlQueries): Promise<void> {
  await sql.script("set local statement_timeout = 0");
  await sql.script("set local idle_in_transaction_session_timeout = 0");
}
