import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { databaseFindings } from "./database-findings.js";
import type { SchemaFinding } from "../rights/schema-finding.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { pendingOf, readApplied, type SchemaRefusal, schemaRefusals } from "./applied-migrations.js";
import type { Migration } from "./migration.js";
import { MIGRATIONS } from "./migrations.js";
import type { SqlQueries } from "../sql/sql-client.js";

/** The reason why this version cannot use a schema. `message` is one line for the operator. */
export type SchemaFailure =
  | {
      readonly name: "schema.not-migrated";
      readonly missing: readonly string[];
      readonly message: string;
    }
  | SchemaRefusal
  | {
      readonly name: "database.unsuitable";
      /** Each problem with its remedy. */
      readonly findings: readonly SchemaFinding[];
      readonly message: string;
    };

/** The applied and the pending migrations of a schema. */
export interface SchemaState {
  /** The names of the applied migrations, including those of newer versions. */
  readonly applied: readonly string[];
  /** The migrations that this version would apply. */
  readonly pending: readonly Migration[];
}

/**
 * Checks that this version can use `schema`. A host calls this before it starts.
 *
 * Newer migrations are accepted unless they are marked as breaking. Fails with:
 *
 * - `schema.not-migrated` if a migration is missing;
 * - `schema.too-new` if the schema has a newer migration that is marked as breaking;
 * - `schema.altered` if the checksum of an applied migration differs;
 * - `database.unsuitable` if the database could refuse, lose or change data. Examples of the reason
 *   are an encoding other than UTF-8, an unlogged table, a trigger, or `synchronous_commit = off`.
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
