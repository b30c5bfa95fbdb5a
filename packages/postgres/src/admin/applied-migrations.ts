import { booleanValue, integer, text } from "../sql/row.js";
import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import type { Migration } from "./migration.js";

/** A migration that makes a schema unusable for this version. */
export interface SchemaRefusal {
  readonly name: "schema.too-new" | "schema.altered";
  readonly migration: string;
  readonly message: string;
}

/** A migration as recorded in the schema. */
export type AppliedMigration = Omit<Migration, "sql">;

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
