import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { databaseFindings } from "./database-findings.js";
import { distributionFindings } from "./distribution/distribution-findings.js";
import { readSchemaDefinition } from "./schema-definition.js";
import { EXPECTED_SCHEMA } from "./expected-schema.js";
import { grantFindings } from "../rights/grant-findings.js";
import { toStorageResult } from "../client/to-storage-result.js";
import type { Migration } from "./migration.js";
import { MIGRATIONS } from "./migrations.js";
import { booleanValue, text } from "../sql/row.js";
import { driftFindings } from "./schema-drift.js";
import type { SchemaFinding } from "../rights/schema-finding.js";
import { type AppliedMigration, pendingOf, readApplied, schemaRefusals } from "./applied-migrations.js";
import type { SqlQueries, SqlRunner } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";

/** Optional checks of {@link inspectSchema}. */
export interface InspectOptions {
  /** The database role of the hosts. Its privileges are compared with those of `grantsSql`. */
  readonly application?: string;
}

/**
 * Returns every difference between `schema` and the migrations and grants of this version.
 *
 * Also returns what makes the database unsuitable, as `checkSchema` describes.
 *
 * An empty list means that the schema is correct. Only reads, and works with any role. If a
 * migration is missing, the tables are not compared, because their expected state is unknown.
 *
 * On a Citus cluster, also returns the differences from the result of `distribute`: tables whose
 * distribution is missing or different, inactive nodes, and nodes where the role `application`
 * lacks server settings.
 *
 * @returns the differences, each with a remedy.
 * @example
 * ```ts
 * import { inspectSchema } from "@tillkit/postgres";
 *
 * const findings = await inspectSchema(sql, "tillkit", { application: "tillkit_app" });
 * if (findings.isOk()) for (const { message, fix } of findings.value) console.log(message, fix);
 * ```
 */
export function inspectSchema(
  database: SqlQueries & Partial<Pick<SqlRunner, "transaction">>,
  schema: string,
  options: InspectOptions = {},
): ResultAsync<readonly SchemaFinding[], StorageFailure> {
  const { transaction = (work) => work(database) } = database;
  return toStorageResult(() =>
    transaction(async (sql) => {
      await sql.script(PLAIN_SPELLING);
      return [
        ...(await databaseFindings(sql, schema, options.application)),
        ...(await schemaFindings(sql, schema, options)),
      ];
    }),
  );
}

/** Settings for the transaction, so that PostgreSQL always prints definitions in the same way. */
const PLAIN_SPELLING = [
  "quote_all_identifiers = off",
  "search_path = pg_catalog",
  "standard_conforming_strings = on",
  "bytea_output = hex",
  "extra_float_digits = 1",
  "datestyle = 'ISO, MDY'",
  "intervalstyle = postgres",
  "timezone = 'UTC'",
  "lc_monetary = 'C'",
]
  .map((setting) => `set local ${setting}`)
  .join("; ");

async function schemaFindings(
  sql: SqlQueries,
  schema: string,
  { application }: InspectOptions,
): Promise<readonly SchemaFinding[]> {
  const grants = application === undefined ? [] : await grantFindings(sql, schema, application);
  const [unreadable] = await sql.query(UNREADABLE, [schema]);
  if (unreadable !== undefined && booleanValue(unreadable, "unreadable"))
    return [...grants, cannotRead(text(unreadable, "role"))];
  const applied = await readApplied(sql, schema);
  const pending = pendingOf(MIGRATIONS, applied);
  if (pending.length > 0) return [...migrationFindings(schema, MIGRATIONS, applied), ...grants];
  const newer = applied.some(({ version }) => MIGRATIONS.every((one) => one.version !== version));
  const found = await readSchemaDefinition(sql, schema);
  const drift = driftFindings({ schema, expected: EXPECTED_SCHEMA, found, newer });
  const distribution = await distributionFindings(sql, schema, application);
  return [...migrationFindings(schema, MIGRATIONS, applied), ...drift, ...distribution, ...grants];
}

function migrationFindings(
  schema: string,
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly SchemaFinding[] {
  const refusals = schemaRefusals(schema, known, applied).map(
    ({ name, migration, message }): SchemaFinding =>
      name === "schema.too-new"
        ? { kind: "too-new", subject: migration, message, fix: "Upgrade @tillkit/postgres in every host." }
        : {
            kind: "altered",
            subject: migration,
            message,
            fix: "Find out which SQL was run. If the tables are correct, store the checksum of this version in schema_migrations.",
          },
  );
  const newer = applied.filter(
    ({ version, breaking }) => !breaking && known.every((one) => one.version !== version),
  );
  return [
    ...pendingOf(known, applied).map(({ name }) => ({
      kind: "not-migrated" as const,
      subject: name,
      message: `The schema "${schema}" lacks the migration ${name}.`,
      fix: "Run the migrations with the role that owns the tables.",
    })),
    ...refusals,
    ...newer.map(({ name }) => ({
      kind: "newer" as const,
      subject: name,
      message: `A newer version applied ${name}. This version supports it, but does not check the objects that it created.`,
      fix: "Upgrade @tillkit/postgres in this host when convenient.",
    })),
  ];
}

function cannotRead(role: string): SchemaFinding {
  return {
    kind: "missing-grant",
    subject: "schema_migrations",
    message: `The role ${role} has no right to read schema_migrations, so nothing else was checked.`,
    fix: "Migrate with this role as the application role, or inspect with the role that owns the tables.",
  };
}

// Reads the system catalog, because naming a table in an inaccessible schema is an error.
const UNREADABLE = statement(
  "migrations_unreadable",
  `select current_user::text as role, not (pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_table_privilege(c.oid, 'select')) as unreadable
   from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
   where n.nspname = $1::text and c.relname = 'schema_migrations'`,
);
