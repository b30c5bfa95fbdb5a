import {
  distribute,
  type DistributionFailure,
  type DistributionProgress,
  type DistributionStep,
} from "@tillkit/postgres";
import { err, ok, type Result } from "neverthrow";
import type { CommandResult } from "../answer.js";
import type { Context } from "../context.js";
import { schemaFailure, withAnyDatabase } from "../database.js";
import { type CliFailure, failure, usage } from "../failure.js";
import { wholeNumberTo } from "../numbers.js";
import { databaseCommand, examples, isIdentifier } from "../settings.js";
import { counted } from "../counted.js";

/** Creates `tillkit distribute`, which distributes the tables over a Citus cluster. */
export function distributeCommand({ io, report }: Context) {
  return databaseCommand("distribute")
    .description(
      "Distribute the tables over the nodes of a Citus cluster, with their rows. Connect to the coordinator as the owner of the tables. A table that is distributed already is not moved, so the command continues after an interruption, and distributes the tables of later migrations. Writers of a table wait while the command moves its rows.",
    )
    .option(
      "--application <role>",
      "role that hosts connect as; its server settings are stored on every node",
    )
    .option(
      "--shards <count>",
      "number of shards of a new group of tables (default: citus.shard_count of the server)",
      wholeNumberTo(64_000),
    )
    .option("--dry-run", "print the SQL of each step, and change nothing")
    .addHelpText(
      "after",
      examples("tillkit distribute --dry-run", "tillkit distribute --application tillkit_host --shards 64"),
    )
    .action(({ application, shards, dryRun = false, ...options }) =>
      report(
        options,
        checked(application, shards).asyncAndThen((given) =>
          withAnyDatabase(io, options, ({ sql, schema }) =>
            distribute({
              sql,
              schema,
              dryRun,
              ...given,
              onProgress: (progress) => void io.stderr.write(`${progressText(progress)}\n`),
            })
              .mapErr(distributionFailure)
              .map(({ steps }) => answerOf(schema, steps, dryRun)),
          ),
        ),
      ),
    );
}

function checked(
  application: string | undefined,
  shardCount: number | undefined,
): Result<{ application?: string; shardCount?: number }, CliFailure> {
  if (application !== undefined && !isIdentifier(application))
    return err(
      usage("The name of a role must have 1 to 63 bytes and no null character: correct --application."),
    );
  if (shardCount === 0) return err(usage("The number of shards must be at least 1: correct --shards."));
  return ok({
    ...(application === undefined ? {} : { application }),
    ...(shardCount === undefined ? {} : { shardCount }),
  });
}

type DistributeFailure = Parameters<typeof schemaFailure>[0] | DistributionFailure;

function distributionFailure(problem: DistributeFailure): CliFailure {
  if (isDistributionFailure(problem)) return failure("refused", problem.name, problem.message);
  return schemaFailure(problem);
}

function isDistributionFailure(problem: DistributeFailure): problem is DistributionFailure {
  return problem.name.startsWith("distribution.");
}

const DOING: Readonly<Record<DistributionStep["action"], string>> = {
  reference: "copying to every node:",
  distribute: "distributing",
  clear: "deleting the old rows on the coordinator:",
  fill: "adding the existing orders to",
  settings: "storing the settings of the role:",
};

function progressText({ step, done, total }: DistributionProgress): string {
  return `${done + 1}/${total} ${DOING[step.action]} ${step.subject}`;
}

function answerOf(schema: string, steps: readonly DistributionStep[], dryRun: boolean): CommandResult {
  const data = { schema, dryRun, steps };
  if (steps.length === 0) return { data, text: `The schema "${schema}" is distributed.` };
  const lines = steps.map(({ sql }) => `${sql};`);
  return {
    data,
    text: dryRun
      ? lines.join("\n")
      : `Distributed the schema "${schema}" in ${counted(steps.length, "step")}.`,
  };
}
