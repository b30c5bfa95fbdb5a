import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { grantsSql } from "../rights/grants.js";
import { migrationLock } from "./migration-lock.js";
import { toStorageResult } from "../client/to-storage-result.js";
import type { Migration } from "./migration.js";
import { MIGRATIONS } from "./migrations.js";
import { hasCitus } from "../cluster/read-distribution.js";
import { removeTimeouts } from "./remove-timeouts.js";
import { runStatements } from "./run-statements.js";
import { databaseRefusal, readSchemaState, type SchemaFailure } from "./schema-state.js";
import type { SqlClient, SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { hasSchema, preparationSql } from "./schema-preparation.js";
import { tablesOf } from "../sql/tables.js";
import { type LockWait, withLockRetries } from "./with-lock-retries.js";

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
  /**
   * The time that a statement waits for a lock, in whole milliseconds. Defaults to 1 000.
   *
   * While a statement waits for the lock of a table, other statements on the table wait behind it.
   * After this time `migrate` rolls back, lets them run, and starts again.
   */
  readonly lockTimeoutMs?: number;
  /** No attempt begins after this time, in milliseconds. Defaults to 300 000. */
  readonly maxLockWaitMs?: number;
  /** Receives each failed attempt to get a lock. Must not throw. */
  readonly onLockWait?: (wait: LockWait) => void;
}

/** The failure of a migration that could not lock the tables that it changes. */
export interface MigrationLockFailure {
  readonly name: "schema.locked";
  /** One line for the operator. */
  readonly message: string;
}

/**
 * Migrates the schema to this version and returns the names of the applied migrations.
 *
 * Runs in one transaction: if a statement fails or the process dies, the schema stays unchanged.
 * Concurrent calls are safe, because an advisory lock lets one call work at a time.
 *
 * Does not stop the traffic of running hosts while it waits for a lock: a statement waits for at
 * most `lockTimeoutMs`. Then the whole transaction is rolled back and repeated.
 *
 * Fails with `schema.too-new` or `schema.altered` if this version must not change the schema, and
 * with `database.unsuitable` like `checkSchema`. Fails with `schema.locked` if other transactions
 * hold a lock for longer than `maxLockWaitMs`. If a statement fails, the `cause` of
 * `storage.unavailable` names the migration and the statement. If the role lacks a right for it,
 * the failure is `storage.misconfigured`. A schema with every migration needs no rights to change
 * it.
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
): ResultAsync<readonly string[], SchemaFailure | MigrationLockFailure | StorageFailure> {
  return toStorageResult(() => repeatedly(options)).andThen((applied) => applied);
}

async function repeatedly(
  options: MigrateOptions,
): Promise<Result<readonly string[], SchemaFailure | MigrationLockFailure>> {
  const { sql, schema, lockTimeoutMs = 1_000, maxLockWaitMs = 300_000, onLockWait } = options;
  if (!Number.isSafeInteger(lockTimeoutMs) || lockTimeoutMs < 1)
    throw new RangeError("lockTimeoutMs must be a whole number of milliseconds, 1 or more.");
  const limits = { pauseMs: lockTimeoutMs, maxWaitMs: maxLockWaitMs, onWait: onLockWait };
  const attempt = () => sql.transaction((transaction) => migrateWithin(transaction, options, lockTimeoutMs));
  const outcome = await withLockRetries(attempt, limits);
  if ("value" in outcome) return outcome.value;
  const { attempt: attempts, waitedMs, reason } = outcome.timedOut;
  const message = `The schema "${schema}" was not migrated: other transactions held a lock during ${attempts} attempts in ${waitedMs} ms. Find them in pg_stat_activity and end them, or migrate at a quiet hour. ${reason}`;
  return err({ name: "schema.locked", message });
}

async function migrateWithin(
  sql: SqlQueries,
  { schema, owner, application, migrations = MIGRATIONS }: MigrateOptions,
  lockTimeoutMs: number,
): Promise<Result<readonly string[], SchemaFailure>> {
  // Both waiting for another process and rewriting a large table may take long.
  await removeTimeouts(sql);
  await migrationLock(sql, schema);
  const refusal = await databaseRefusal(sql, schema, application);
  if (refusal !== undefined) return err(refusal);
  const state = await readSchemaState(sql, schema, migrations);
  if (state.isErr()) return state.map(() => []);
  const { pending } = state.value;
  if (pending.length === 0 && application === undefined) return ok([]);
  if (await hasCitus(sql)) await prepareNodes(sql);
  await sql.script(`set local lock_timeout = ${lockTimeoutMs}`);
  await runStatements(sql, preparationSql(schema, owner, await hasSchema(sql, schema)), "The preparation");
  await apply(sql, schema, pending);
  if (application !== undefined) await runStatements(sql, grantsSql(schema, application), "Granting rights");
  return ok(pending.map(({ name }) => name));
}

/** Sends the settings of the transaction to the workers. */
async function prepareNodes(sql: SqlQueries): Promise<void> {
  await sql.script("set local citus.propagate_set_commands = 'local'");
  await removeTimeouts(sql);
  // A transaction that has changed shards in parallel could not change the definition of their
  // tables afterwards.
  await sql.script("set local citus.multi_shard_modify_mode = 'sequential'");
}

/** Runs `pending` in order and records each migration in `schema_migrations`. */
async function apply(sql: SqlQueries, schema: string, pending: readonly Migration[]): Promise<void> {
  const record = statement(
    "migrate_log",
    `insert into ${tablesOf(schema).schema_migrations} (version, name, checksum, breaking) values ($1, $2, $3, $4)`,
  );
  for (const { version, name, sql: text, checksum, breaking } of pending) {
    await runStatements(sql, text, `The migration ${name}`);
    await sql.query(record, [version, name, checksum, breaking]);
  }
}
