import { inspectSchema, type LockWait, migrate, planMigrations, type SchemaFinding } from "@tillkit/postgres";
import { err, ok, type Result } from "neverthrow";
import type { CommandResult } from "../answer.js";
import type { Context } from "../context.js";
import { schemaFailure, withAnyDatabase } from "../database.js";
import { visibleLine } from "@tillkit/core/text";
import { type CliFailure, usage } from "../failure.js";
import { wholeNumber } from "../numbers.js";
import { databaseCommand, examples, isIdentifier } from "../settings.js";

interface RoleOptions {
  readonly owner?: string | undefined;
  readonly application?: string | undefined;
}

function schemaCommand(name: string) {
  return databaseCommand(name)
    .option("--owner <role>", "role that owns the new objects (default: the role of the connection)")
    .option(
      "--application <role>",
      "role that hosts connect as; it receives exactly the rights that hosts need",
    );
}

/** Creates `tillkit migrate`, which applies all pending migrations. */
export function migrateCommand({ io, report }: Context) {
  return schemaCommand("migrate")
    .description(
      "Apply all pending migrations in one transaction. Several processes may run it at the same time. If another transaction holds a lock, the command rolls back after a short time and tries again, so that hosts continue to work.",
    )
    .addHelpText(
      "after",
      examples("tillkit migrate", "tillkit migrate --owner tillkit_owner --application tillkit_host"),
    )
    .option(
      "--lock-timeout-ms <ms>",
      "time that a statement waits for a lock before the whole transaction is repeated (default: 1000)",
      wholeNumber,
    )
    .option(
      "--max-lock-wait-ms <ms>",
      "time after which no further attempt begins, in milliseconds (default: 300000)",
      wholeNumber,
    )
    .action(({ lockTimeoutMs, maxLockWaitMs, ...options }) =>
      report(
        options,
        locksOf(lockTimeoutMs, maxLockWaitMs)
          .andThen((locks) => rolesOf(options).map((roles) => ({ ...roles, ...locks })))
          .asyncAndThen((given) =>
            withAnyDatabase(
              io,
              options,
              ({ sql, schema }) =>
                migrate({
                  sql,
                  schema,
                  ...given,
                  onLockWait: (wait) => void io.stderr.write(`${waitText(wait)}\n`),
                })
                  .mapErr(schemaFailure)
                  .andThen((applied) =>
                    inspectSchema(sql, schema)
                      .mapErr(schemaFailure)
                      .map((findings) => answerOf(schema, applied, notDistributed(findings))),
                  ),
              { make: true },
            ),
          ),
      ),
    );
}

function waitText({ attempt, reason }: LockWait): string {
  return `Attempt ${attempt} was rolled back, because another transaction holds a lock. ${visibleLine(reason)}`;
}

/** Returns the tables that are not distributed, although the database is a Citus cluster. */
function notDistributed(findings: readonly SchemaFinding[]): readonly string[] {
  return findings.flatMap(({ kind, subject }) => (kind === "not-distributed" ? [subject] : []));
}

function answerOf(
  schema: string,
  applied: readonly string[],
  undistributed: readonly string[],
): CommandResult {
  const done =
    applied.length === 0
      ? `The schema "${schema}" has every migration.`
      : `Applied to the schema "${schema}": ${applied.join(", ")}.`;
  const hint =
    undistributed.length === 0
      ? []
      : [`Not distributed yet: ${undistributed.join(", ")}. Run \`tillkit distribute\`.`];
  return { data: { schema, applied, undistributed }, text: [done, ...hint].join("\n") };
}

function locksOf(
  lockTimeoutMs: number | undefined,
  maxLockWaitMs: number | undefined,
): Result<{ lockTimeoutMs?: number; maxLockWaitMs?: number }, CliFailure> {
  if (lockTimeoutMs === 0)
    return err(usage("The lock timeout must be at least 1 ms: correct --lock-timeout-ms."));
  return ok({
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
    ...(maxLockWaitMs === undefined ? {} : { maxLockWaitMs }),
  });
}

/** Creates `tillkit plan`, which prints the SQL that `tillkit migrate` would run. */
export function planCommand({ io, report }: Context) {
  return schemaCommand("plan")
    .description("Print the SQL that migrate would run. Changes nothing.")
    .addHelpText(
      "after",
      examples(
        "tillkit plan --application tillkit_host",
        "tillkit plan --application tillkit_host | psql $DATABASE_URL",
      ),
    )
    .action((options) =>
      report(
        options,
        rolesOf(options).asyncAndThen((roles) =>
          withAnyDatabase(io, options, ({ sql, schema }) =>
            planMigrations({ sql, schema, ...roles })
              .mapErr(schemaFailure)
              .map(({ pending, script }) => ({
                data: { schema, pending, script },
                text: script === "" ? "-- nothing to do" : script,
              })),
          ),
        ),
      ),
    );
}

function rolesOf({
  owner,
  application,
}: RoleOptions): Result<{ owner?: string; application?: string }, CliFailure> {
  for (const role of [owner, application])
    if (role !== undefined && !isIdentifier(role))
      return err(
        usage(
          "The name of a role must have 1 to 63 bytes and no null character: correct --owner or --application.",
        ),
      );
  return ok({
    ...(owner === undefined ? {} : { owner }),
    ...(application === undefined ? {} : { application }),
  });
}
