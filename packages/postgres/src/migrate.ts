import { ok, type Result, type ResultAsync } from "neverthrow";
import { Umzug } from "umzug";
import type { StorageFailure } from "@tillkit/core/errors";
import { grantsSql } from "./grants.js";
import { guard } from "./guard.js";
import { type Migration, readMigrations } from "./migration-files.js";
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
  /** The migrations to run; those of this package unless told. */
  readonly migrations?: readonly Migration[];
}

/**
 * Brings the schema to this version and gives the names of the migrations it applied, in one transaction: all of it or nothing. Any number of processes may
 * call it at once: one works, the others wait and find nothing left to do.
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
  { schema, owner, application, migrations }: MigrateOptions,
): Promise<Result<readonly string[], SchemaFailure>> {
  // Waiting for another process and rewriting a large table may both take long.
  await sql.script("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
  const lock = statement(
    "migrate_lock",
    "select pg_advisory_xact_lock(hashtextextended($1, 0)) is null as locked",
  );
  await sql.query(lock, [JSON.stringify(["tillkit migrate", schema])]);
  const known = migrations ?? (await readMigrations());
  const state = await readSchemaState(sql, schema, known);
  if (state.isErr()) return state.map(() => []);
  await sql.script(preparationSql(schema, owner, await hasSchema(sql, schema)));
  const applied = await apply(sql, schema, known, state.value.applied);
  if (application !== undefined) await sql.script(grantsSql(schema, application));
  return ok(applied);
}

async function apply(
  sql: SqlQueries,
  schema: string,
  known: readonly Migration[],
  before: readonly string[],
): Promise<readonly string[]> {
  const log = statement(
    "migrate_log",
    `insert into ${tablesOf(schema).schema_migrations} (version, name, checksum, breaking) values ($1, $2, $3, $4)`,
  );
  const done = [...before];
  const umzug = new Umzug({
    migrations: known.map(({ name, sql: text }) => ({ name, up: () => sql.script(text) })),
    storage: {
      executed: async () => done,
      logMigration: async ({ name }) => {
        const migration = known.find((one) => one.name === name);
        if (migration === undefined) throw new Error(`The migration ${name} is not known.`);
        const { version, checksum, breaking } = migration;
        await sql.query(log, [version, name, checksum, breaking]);
        done.push(name);
      },
      unlogMigration: async () => {
        throw new Error("Migrations go forward only.");
      },
    },
    logger: undefined,
  });
  return (await umzug.up()).map(({ name }) => name);
}
