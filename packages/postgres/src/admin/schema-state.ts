import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { databaseFindings } from "./database-findings.js";
import type { SchemaFinding } from "../rights/schema-finding.js";
import { toStorageResult } from "../client/to-storage-result.js";
import type { Migration } from "./migration.js";
import { MIGRATIONS } from "./migrations.js";
import { booleanValue, integer, text } from "../sql/row.js";
import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";

/** The reason why this version cannot use a schema. `message` is one line for the operator. */
export type SchemaFailure =
  | {
      readonly name: "schema.not-migrated";
      readonly missing: readonly string[];
      readonly message: string;
    }
  | { readonly name: "schema.too-new"; readonly migration: string; readonly message: string }
  | { readonly name: "schema.altered"; readonly migration: string; readonly message: string }
  | {
      readonly name: "database.unsuitable";
      /** Each problem with its remedy. */
      readonly findings: readonly SchemaFinding[];
      readonly message: string;
    };

/** A migration that makes a schema unusable for this version. */
type SchemaRefusal = Extract<SchemaFailure, { readonly name: "schema.too-new" | "schema.altered" }>;

/** The applied and the pending migrations of a schema. */
export interface SchemaState {
  /** The names of the applied migrations, including those of newer versions. */
  readonly applied: readonly string[];
  /** The migrations that this version would apply. */
  readonly pending: readonly Migration[];
}

/** A migration as recorded in the schema. */
export type AppliedMigration = Omit<Migration, "sql">;

/**
 * Checks that this version can use `schema`. A host calls this before it starts.
 *
 * Newer migrations are accepted unless they are marked as breaking. Fails with:
 *
 * - `schema.not-migrated` if a migration is missing;
 * - `schema.too-new` if the schema has a newer migration that is marked as breaking;
 * - `schema.altered` if the checksum of an applied migration differs;
 * - `database.unsuitable` if the database cannot hold the data or keep the promises, such as with
 *   another encoding than UTF-8, an unlogged table, a trigger, or `synchronous_commit = off`.
 *
 * @returns the applied and the pending migrations.
 * @example
 * ```ts
 * import { checkSchema } from "@tillkit/postgres";
 *
 * const checked = await checkSchema(sql, "tillkit");
 * if (checked.isErr()) throw new Error(checked.error.name);
 * ```
 */
export function checkSchema(
  sql: SqlQueries,
  schema: string,
): ResultAsync<SchemaState, SchemaFailure | StorageFailure> {
  return toStorageResult(() => databaseRefusal(sql, schema))
    .andThen((refusal): Result<undefined, SchemaFailure> =>
      refusal === undefined ? ok(undefined) : err(refusal),
    )
    .andThen(() => toStorageResult(() => readSchemaState(sql, schema)))
    .andThen((state) => state)
    .andThen((state): Result<SchemaState, SchemaFailure> => {
      if (state.pending.length === 0) return ok(state);
      const missing = state.pending.map(({ name }) => name);
      const message = `The schema "${schema}" lacks ${missing.join(", ")}: run the migrations first.`;
      return err({ name: "schema.not-migrated", missing, message });
    });
}

/** Returns why the database cannot be used, or `undefined`. */
export async function databaseRefusal(
  sql: SqlQueries,
  schema: string,
  application?: string,
): Promise<SchemaFailure | undefined> {
  const findings = await databaseFindings(sql, schema, application);
  if (findings.length === 0) return undefined;
  const message = findings.map(({ message: problem, fix }) => `${problem} ${fix}`).join(" ");
  return { name: "database.unsuitable", findings, message };
}

/**
 * Reads the state of `schema`. Fails if this version must not use the schema.
 *
 * A missing schema has no applied migrations.
 */
export async function readSchemaState(
  sql: SqlQueries,
  schema: string,
  known: readonly Migration[] = MIGRATIONS,
): Promise<Result<SchemaState, SchemaFailure>> {
  const applied = await readApplied(sql, schema);
  const [refusal] = schemaRefusals(schema, known, applied);
  if (refusal !== undefined) return err(refusal);
  return ok({ applied: applied.map(({ name }) => name), pending: pendingOf(known, applied) });
}

/** Reads the recorded migrations of `schema` by version. Returns none if the schema is missing. */
export async function readApplied(sql: SqlQueries, schema: string): Promise<readonly AppliedMigration[]> {
  const { schema_migrations: table } = tablesOf(schema);
  const exists = statement("migrations_exist", "select to_regclass($1) is not null as present");
  const [answer] = await sql.query(exists, [table]);
  if (answer === undefined || !booleanValue(answer, "present")) return [];
  const applied = statement(
    "migrations_applied",
    `select version, name, checksum, breaking from ${table} order by version`,
  );
  return (await sql.query(applied, [])).map((row) => ({
    version: integer(row, "version"),
    name: text(row, "name"),
    checksum: text(row, "checksum"),
    breaking: booleanValue(row, "breaking"),
  }));
}

/** Returns the migrations of `known` that are not applied. */
export function pendingOf(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const versions = new Set(applied.map(({ version }) => version));
  return known.filter(({ version }) => !versions.has(version));
}

/**
 * Returns the reasons why a version with the migrations `known` must not use a schema.
 *
 * There is at most one reason per applied migration, in the order of `applied`.
 */
export function schemaRefusals(
  schema: string,
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly SchemaRefusal[] {
  const newest = known.at(-1)?.name ?? "none";
  return applied.flatMap(({ version, name, checksum, breaking }): readonly SchemaRefusal[] => {
    const ours = known.find((migration) => migration.version === version);
    if (ours === undefined && breaking) {
      const message = `The schema "${schema}" has the breaking migration ${name}, which is newer than this version of @tillkit/postgres (it knows up to ${newest}): upgrade the package.`;
      return [{ name: "schema.too-new", migration: name, message }];
    }
    if (ours !== undefined && ours.checksum !== checksum) {
      const message = `The migration ${name} of the schema "${schema}" is not the one this version of @tillkit/postgres knows: it was edited after it was applied, or belongs to another program.`;
      return [{ name: "schema.altered", migration: name, message }];
    }
    return [];
  });
}
