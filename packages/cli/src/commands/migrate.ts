import { migrate, planMigrations } from "@tillkit/postgres";
import { err, ok, type Result } from "neverthrow";
import type { Context } from "../context.js";
import { schemaFailure, withAnyDatabase } from "../database.js";
import { type CliFailure, usage } from "../failure.js";
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
      "Apply all pending migrations in one transaction. Several processes may run it at the same time.",
    )
    .addHelpText(
      "after",
      examples("tillkit migrate", "tillkit migrate --owner tillkit_owner --application tillkit_host"),
    )
    .action((options) =>
      report(
        options,
        rolesOf(options).asyncAndThen((roles) =>
          withAnyDatabase(
            io,
            options,
            ({ sql, schema }) =>
              migrate({ sql, schema, ...roles })
                .mapErr(schemaFailure)
                .map((applied) => ({
                  data: { schema, applied },
                  text:
                    applied.length === 0
                      ? `The schema "${schema}" has every migration.`
                      : `Applied to the schema "${schema}": ${applied.join(", ")}.`,
                })),
            { make: true },
          ),
        ),
      ),
    );
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
