import { ok, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { grantsSql } from "./grants.js";
import { guard } from "./guard.js";
import type { Migration } from "./migration.js";
import { MIGRATIONS } from "./migrations.js";
import { readSchemaState, type SchemaFailure } from "./schema-state.js";
import type { SqlClient, SqlQueries } from "./sql-client.js";
import { statement } from "./statement.js";
import { hasSchema, preparationSql } from "./schema-preparation.js";
import { tablesOf } from "./tables.js";

/** What to migrate, and for whom. */
export interface MigrateOptions {
  readonly sql: SqlClient;
  /** Made when it is not there. */
  readonly schema: string;
  /** The role that owns what is made; the role of the connection unless told. The connection must be a member of it. */
  readonly owner?: string;
  /** The role the hosts connect as: it is given what the stores need, and no right to change tables. */
  readonly application?: string;
  /** The migrations to run, in order. Defaults to those of this package. */
  readonly migrations?: readonly Migration[];
}

/**
 * Migrates the schema to this version and returns the names of the migrations that it applied.
 *
 * Runs in one transaction: if a migration fails or the process dies, the schema is as before. Safe to
 * call from any number of processes at once: an advisory lock lets one work, and the others then find
 * nothing to do.
 */
export function migrate(
  options: MigrateOptions,
): ResultAsync<readonly string[], SchemaFailure | StorageFailure> {
  return guard(() => options.sql.transaction((transaction) => migrateWithin(transaction, options))).andThen(
    (applied) => applied,
  );
}

async function migrateWithin(
  sql: SqlQueries,
  { schema, owner, application, migrations = MIGRATIONS }: MigrateOptions,
): Promise<Result<readonly string[], SchemaFailure>> {
  // Waiting for another process and rewriting a large table may both take long.
  await sql.script("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
  const lock = statement(
    "migrate_lock",
    "select pg_advisory_xact_lock(hashtextextended($1, 0)) is null as locked",
  );
  await sql.query(lock, [JSON.stringify(["tillkit migrate", schema])]);
  const state = await readSchemaState(sql, schema, migrations);
  if (state.isErr()) return state.map(() => []);
  await sql.script(preparationSql(schema, owner, await hasSchema(sql, schema)));
  const { pending } = state.value;
  await apply(sql, schema, pending);
  if (application !== undefined) await sql.script(grantsSql(schema, application));
  return ok(pending.map(({ name }) => name));
}

/** Runs `pending` in order and records each one in `schema_migrations`. */
async function apply(sql: SqlQueries, schema: string, pending: readonly Migration[]): Promise<void> {
  const record = statement(
    "migrate_log",
    `insert into ${tablesOf(schema).schema_migrations} (version, name, checksum, breaking) values ($1, $2, $3, $4)`,
  );
  for (const { version, name, sql: text, checksum, breaking } of pending) {
    try {
      await sql.script(text);
    } catch (cause) {
      throw new Error(`The migration ${name} failed: ${String(cause)}`, { cause });
    }
    await sql.query(record, [version, name, checksum, breaking]);
  }
}
