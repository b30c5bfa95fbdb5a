import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { grantsSql } from "./grants.js";
import { guard } from "./guard.js";
import type { MigrateOptions } from "./migrate.js";
import type { Migration } from "./migration.js";
import { hasSchema, preparationSql } from "./schema-preparation.js";
import { readSchemaState, type SchemaFailure } from "./schema-state.js";
import type { SqlQueries } from "./sql-client.js";
import { tablesOf } from "./tables.js";

/** What `migrate` would do. */
export interface MigrationPlan {
  /** Names of the migrations it would apply. */
  readonly pending: readonly string[];
  /** The SQL it would run, as one transaction. Empty when it would change nothing. */
  readonly script: string;
}

/** What to plan for: as for `migrate`, over a client that is only asked. */
export interface PlanOptions extends Omit<MigrateOptions, "sql" | "migrations"> {
  readonly sql: SqlQueries;
}

/** What `migrate` would do with these options, for a person to read or run. It only reads. */
export function planMigrations({
  sql,
  schema,
  owner,
  application,
}: PlanOptions): ResultAsync<MigrationPlan, SchemaFailure | StorageFailure> {
  return guard(async () => {
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

/** A migration's name and checksum are of letters, digits and hyphens: nothing in them needs quoting. */
function logSql(schema: string, { version, name, checksum, breaking }: Migration): string {
  const values = `${version}, '${name}', '${checksum}', ${breaking}`;
  return `insert into ${tablesOf(schema).schema_migrations} (version, name, checksum, breaking) values (${values});`;
}
