import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { guard } from "./guard.js";
import type { Migration } from "./migration.js";
import { MIGRATIONS } from "./migrations.js";
import { flag, integer, text } from "./row.js";
import type { SqlQueries } from "./sql-client.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";

/** Why this version cannot work with a schema; `message` is one line for the person who starts it. */
export type SchemaFailure =
  | {
      readonly name: "schema.not-migrated";
      readonly missing: readonly string[];
      readonly message: string;
    }
  | { readonly name: "schema.too-new"; readonly migration: string; readonly message: string }
  | { readonly name: "schema.altered"; readonly migration: string; readonly message: string };

/** A migration that makes this version keep its hands off a schema. */
type SchemaRefusal = Exclude<SchemaFailure, { readonly name: "schema.not-migrated" }>;

/** Where a schema stands. */
export interface SchemaState {
  /** Names of the migrations that were applied, also by versions newer than this one. */
  readonly applied: readonly string[];
  /** What this version would still apply. */
  readonly pending: readonly Migration[];
}

/** A migration as the schema remembers it. */
export type AppliedMigration = Omit<Migration, "sql">;

/**
 * Whether this version can work with `schema`: to be asked by a host before it serves. Refuses a schema that lacks a migration, and one with a newer
 * migration that is marked breaking; a newer one that is not is none of its business.
 */
export function checkSchema(
  sql: SqlQueries,
  schema: string,
): ResultAsync<SchemaState, SchemaFailure | StorageFailure> {
  return guard(() => readSchemaState(sql, schema))
    .andThen((state) => state)
    .andThen((state): Result<SchemaState, SchemaFailure> => {
      if (state.pending.length === 0) return ok(state);
      const missing = state.pending.map(({ name }) => name);
      const message = `The schema "${schema}" lacks ${missing.join(", ")}: run the migrations first.`;
      return err({ name: "schema.not-migrated", missing, message });
    });
}

/** Where `schema` stands, unless this version must keep its hands off it. A schema that is not there lacks every migration. */
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

/** The migrations `schema` remembers, by version; none when it is not there. */
export async function readApplied(sql: SqlQueries, schema: string): Promise<readonly AppliedMigration[]> {
  const { schema_migrations: table } = tablesOf(schema);
  const exists = statement("migrations_exist", "select to_regclass($1) is not null as present");
  const [answer] = await sql.query(exists, [table]);
  if (answer === undefined || !flag(answer, "present")) return [];
  const applied = statement(
    "migrations_applied",
    `select version, name, checksum, breaking from ${table} order by version`,
  );
  return (await sql.query(applied, [])).map((row) => ({
    version: integer(row, "version"),
    name: text(row, "name"),
    checksum: text(row, "checksum"),
    breaking: flag(row, "breaking"),
  }));
}

/** The migrations of `known` that were not applied. */
export function pendingOf(
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const versions = new Set(applied.map(({ version }) => version));
  return known.filter(({ version }) => !versions.has(version));
}

/** Why code that knows `known` must keep its hands off a schema with `applied`: one failure a migration, in their order. */
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
