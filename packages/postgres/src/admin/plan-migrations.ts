import { err, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { grantsSql } from "../rights/grants.js";
import { toStorageResult } from "../client/to-storage-result.js";
import type { MigrateOptions } from "./migrate.js";
import type { Migration } from "./migration.js";
import { hasSchema, preparationSql } from "./schema-preparation.js";
import { databaseRefusal, readSchemaState, type SchemaFailure } from "./schema-state.js";
import type { SqlQueries } from "../sql/sql-client.js";
import { tablesOf } from "../sql/tables.js";

/** The effect that {@link migrate} would have. */
export interface MigrationPlan {
  /** The names of the migrations that it would apply. */
  readonly pending: readonly string[];
  /**
   * The SQL that it would run in one transaction.
   *
   * Empty if no migration is pending and the options have no `application`.
   */
  readonly script: string;
}

/** The options of {@link planMigrations}, which are those of `migrate`. The client only reads. */
export interface PlanOptions extends Omit<MigrateOptions, "sql" | "migrations"> {
  readonly sql: SqlQueries;
}

/**
 * Returns what `migrate` would do with these options. Only reads.
 *
 * @returns the pending migrations and the SQL that would run. Fails with `schema.too-new`,
 *   `schema.altered` or `database.unsuitable` like `migrate`.
 * @example
 * ```ts
 * import { planMigrations } from "@tillkit/postgres";
 *
 * const plan = await planMigrations({ sql, schema: "tillkit" });
 * if (plan.isOk()) console.log(plan.value.script);
 * ```
 */
export function planMigrations({
  sql,
  schema,
  owner,
  application,
}: PlanOptions): ResultAsync<MigrationPlan, SchemaFailure | StorageFailure> {
  return toStorageResult(async () => {
    const refusal = await databaseRefusal(sql, schema, application);
    if (refusal !== undefined) return err(refusal);
    const present = await hasSchema(sql, schema);
    const state = await readSchemaState(sql, schema);
    return state.map(({ pending }) => {
      const steps = [
        ...pending.flatMap((migration) => [
          `-- ${migration.name}`,
          migration.sql.trim(),
          logSql(schema, migration),
        ]),
        ...(application === undefined ? [] : [`-- grants`, grantsSql(schema, application)]),
      ];
      const script =
        steps.length === 0
          ? ""
          : ["begin;", preparationSql(schema, owner, present), ...steps, "commit;", ""].join("\n");
      return { pending: pending.map(({ name }) => name), script };
    });
  }).andThen((plan) => plan);
}

/**
 * Returns SQL that records a migration.
 *
 * The name and the checksum have only letters, digits and hyphens, so they need no escaping.
 */
function logSql(schema: string, { version, name, checksum, breaking }: Migration): string {
  const values = `${version}, '${name}', '${checksum}', ${breaking}`;
  return `insert into ${tablesOf(schema).schema_migrations} (version, name, checksum, breaking) values (${values});`;
}
