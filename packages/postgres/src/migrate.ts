import { ok, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { grantsSql } from "./grants.js";
import { migrationLock } from "./migration-lock.js";
import { toStorageResult } from "./to-storage-result.js";
import type { Migration } from "./migration.js";
import { MIGRATIONS } from "./migrations.js";
import { readSchemaState, type SchemaFailure } from "./schema-state.js";
import type { SqlClient, SqlQueries } from "./sql-client.js";
import { statement } from "./statement.js";
import { hasSchema, preparationSql } from "./schema-preparation.js";
import { tablesOf } from "./tables.js";

/** The options of {@link migrate}. */
export interface MigrateOptions {
  readonly sql: SqlClient;
  /** Created if it is missing. */
  readonly schema: string;
  /**
   * The role that owns the tables. Defaults to the role of the connection.
   *
   * The role of the connection must be a member of it.
   */
  readonly owner?: string;
  /**
   * The database role of the hosts. It receives the privileges of `grantsSql`.
   *
   * Without it, `migrate` grants nothing.
   */
  readonly application?: string;
  /** The migrations to run, in order. Defaults to those of this package. */
  readonly migrations?: readonly Migration[];
}

/**
 * Migrates the schema to this version and returns the names of the applied migrations.
 *
 * Runs in one transaction: if a migration fails or the process dies, the schema stays unchanged.
 * Concurrent calls are safe, because an advisory lock lets one call work at a time.
 *
 * Fails with `schema.too-new` or `schema.altered` if this version must not change the schema.
 *
 * @returns the names of the applied migrations, in order. Empty if the schema was up to date.
 * @example
 * ```ts
 * import { migrate } from "@tillkit/postgres";
 *
 * const migrated = await migrate({ sql, schema: "tillkit", application: "tillkit_app" });
 * if (migrated.isErr()) throw new Error(migrated.error.name);
 * ```
 */
export function migrate(
  options: MigrateOptions,
): ResultAsync<readonly string[], SchemaFailure | StorageFailure> {
  return toStorageResult(() =>
    options.sql.transaction((transaction) => migrateWithin(transaction, options)),
  ).andThen((applied) => applied);
}

async function migrateWithin(
  sql: SqlQueries,
  { schema, owner, application, migrations = MIGRATIONS }: MigrateOptions,
): Promise<Result<readonly string[], SchemaFailure>> {
  // Both waiting for another process and rewriting a large table may take long.
  await sql.script("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
  await migrationLock(sql, schema);
  const state = await readSchemaState(sql, schema, migrations);
  if (state.isErr()) return state.map(() => []);
  await sql.script(preparationSql(schema, owner, await hasSchema(sql, schema)));
  const { pending } = state.value;
  await apply(sql, schema, pending);
  if (application !== undefined) await sql.script(grantsSql(schema, application));
  return ok(pending.map(({ name }) => name));
}

/** Runs `pending` in order and records each migration in `schema_migrations`. */
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
