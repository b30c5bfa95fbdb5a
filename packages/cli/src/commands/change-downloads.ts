import { changeCounts, MAX_CHANGED_DAYS } from "@tillkit/core/operators";
import type { ChangedDays, DayCounts } from "@tillkit/core/ports";
import { postgresDownloadsSource } from "@tillkit/postgres";
import type { CommandResult } from "../answer.js";
import { type AuditOptions, commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { withDatabase } from "../database.js";
import { coreFailure } from "../failure.js";
import { wholeNumberTo } from "../numbers.js";
import { AUDIT_OPTIONS, databaseCommand, examples } from "../settings.js";
import { counted } from "../counted.js";

const MOST = 10_000_000_000;

type ChangeOptions = Parameters<Context["report"]>[0] &
  Parameters<typeof withDatabase>[1] &
  AuditOptions & {
    readonly app: string;
    readonly store: string;
    readonly from: string;
    readonly until: string;
    readonly dryRun?: true | undefined;
  };

/** Creates `tillkit downloads set`, which replaces the counts of days. */
export function setDownloadsCommand(context: Context) {
  return changing("set", `Set the counts of each day of a range, of at most ${MAX_CHANGED_DAYS} days.`)
    .requiredOption("--new <count>", "the new downloads of each day", wholeNumberTo(MOST))
    .requiredOption("--updates <count>", "the updates of each day", wholeNumberTo(MOST))
    .addHelpText(
      "after",
      examples(
        "tillkit downloads set --app app_1 --store 华为 --from 2026-01-15 --until 2026-01-15 --new 40 --updates 2",
      ),
    )
    .action(({ new: newDownloads, updates: updateDownloads, ...options }) =>
      change(context, options, { newDownloads, updateDownloads }),
    );
}

/** Creates `tillkit downloads delete`, which deletes the counts of days. */
export function deleteDownloadsCommand(context: Context) {
  return changing(
    "delete",
    `Delete the counts of each day of a range, of at most ${MAX_CHANGED_DAYS} days. The days then have no data.`,
  )
    .addHelpText(
      "after",
      examples(
        "tillkit downloads delete --app app_1 --store 华为 --from 2026-01-01 --until 2026-01-31 --dry-run",
      ),
    )
    .action((options) => change(context, options, "delete"));
}

function changing(name: string, description: string) {
  return databaseCommand(name)
    .description(`${description} The audit log keeps the previous counts.`)
    .requiredOption("--app <app-id>", "the app")
    .requiredOption("--store <name>", "the store, by any of its names")
    .requiredOption("--from <day>", "the first day, YYYY-MM-DD")
    .requiredOption("--until <day>", "the last day, YYYY-MM-DD")
    .option("--dry-run", "show what the command would do, and change nothing")
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1]);
}

function change({ io, report }: Context, options: ChangeOptions, next: DayCounts | "delete") {
  const { app: appId, store, from, until, dryRun = false } = options;
  return report(
    options,
    commandOf(io, options).asyncAndThen((by) =>
      withDatabase(io, options, ({ sql, schema }) => {
        const ports = { downloads: postgresDownloadsSource(sql, schema), clock: io.clock };
        return changeCounts(ports, { appId, store, from, until }, next, by, { dryRun })
          .mapErr(coreFailure)
          .map((changed) => answerOf(changed, next, dryRun));
      }),
    ),
  );
}

function answerOf(done: ChangedDays, next: DayCounts | "delete", dryRun: boolean): CommandResult {
  const { store, changed, before } = done;
  const what = next === "delete" ? "deleted" : "set";
  const lines = before.map(
    ({ date, newDownloads, updateDownloads }) =>
      `  ${date}: ${newDownloads} new, ${counted(updateDownloads, "update")}`,
  );
  return {
    data: { ...done, dryRun },
    text: [
      `${store}: ${counted(changed, "day")} ${dryRun ? "would be " : ""}${what}.`,
      ...(changed > 0 && before.length > 0 ? ["Counts before:", ...lines] : []),
    ].join("\n"),
  };
}
