import { randomBytes } from "node:crypto";
import { orThrow } from "@tillkit/core";
import { distribute, migrate, nodeUrl, pgClient, type SqlClient } from "@tillkit/postgres";
import pg from "pg";

/** Returns the URL with a shard count for the tables that its sessions distribute. */
export function withShardCount(url: string, shards: number): string {
  const changed = new URL(url);
  const given = changed.searchParams.get("options") ?? "";
  changed.searchParams.set("options", `${given} -c citus.shard_count=${String(shards)}`.trim());
  return changed.href;
}

/** Returns a unique name for a schema. */
export function freshSchema(): string {
  return `tillkit_test_${randomBytes(6).toString("hex")}`;
}

/** Opens a client with the settings of a host. It connects to the coordinator only. */
export function clientOf(url: string, max = 10): SqlClient {
  return pgClient(new pg.Pool({ connectionString: url, max }));
}

/**
 * Opens a client like {@link clientOf}, but for a host that also connects to the workers directly.
 */
export function directClientOf(url: string, max = 10): SqlClient {
  return pgClient(new pg.Pool({ connectionString: url, max }), {
    nodePool: (node) => new pg.Pool({ connectionString: nodeUrl(url, node), max }),
  });
}

/** Migrates a schema. On a coordinator, also distributes its tables. */
export async function createSchema(url: string, schema: string): Promise<void> {
  const sql = clientOf(url, 1);
  try {
    await orThrow(migrate({ sql, schema }));
    if (!(await isCoordinator(sql))) return;
    await orThrow(distribute({ sql, schema }));
  } finally {
    await sql.close();
  }
}

/** Drops a schema. */
export async function dropSchema(url: string, schema: string): Promise<void> {
  const sql = clientOf(url, 1);
  try {
    await sql.script(`drop schema if exists ${schema} cascade`);
  } finally {
    await sql.close();
  }
}

/** Returns whether the database has the Citus extension. */
export async function isCoordinator(sql: SqlClient): Promise<boolean> {
  const text = "select from pg_extension where extname = 'citus'";
  return (await sql.query({ name: "citus_extension", text }, [])).length > 0;
}
