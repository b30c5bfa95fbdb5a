import type { SqlClient } from "../sql/sql-client.js";
import { pgClient } from "../client/pg-client.js";
import pg from "pg";

/**
 * Creates a client of the PgBouncer of `TEST_PGBOUNCER_URL`, which lends a connection for one
 * transaction.
 *
 * The role of the URL must have the settings of `roleSettingsSql`. PgBouncer must support prepared
 * statements if `TEST_PGBOUNCER_STATEMENTS` is `named`.
 */
export function pooledClient(): SqlClient {
  const pool = new pg.Pool({ connectionString: pooler().href, max: 16 });
  const statements = process.env["TEST_PGBOUNCER_STATEMENTS"] === "named" ? "named" : "unnamed";
  return pgClient(pool, { settings: "role", statements, connectMs: 60_000 });
}

/** Returns the role of `TEST_PGBOUNCER_URL`. */
export function pooledRole(): string {
  return decodeURIComponent(pooler().username);
}

function pooler(): URL {
  const { TEST_PGBOUNCER_URL: url = "" } = process.env;
  if (!URL.canParse(url))
    throw new Error("TEST_PGBOUNCER_URL must be the URL of a database behind PgBouncer.");
  return new URL(url);
}
