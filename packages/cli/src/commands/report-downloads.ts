import {
  compareDownloads,
  compareDownloadsInput,
  type AppCoverage,
  downloadsCoverage,
  type DownloadsComparison,
  PERIOD_LENGTHS,
} from "@tillkit/core/operators";
import { postgresAppStore, postgresDownloadsSource, type SqlClient } from "@tillkit/postgres";
import { Option } from "@commander-js/extra-typings";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import { type CommandResult, table } from "../answer.js";
import type { Context } from "../context.js";
import { withDatabase } from "../database.js";
import { type CliFailure, coreFailure } from "../failure.js";
import { parseWithPolicy } from "../ports.js";
import { CSV_OPTION, databaseCommand, examples, POLICY_OPTION } from "../settings.js";
import { counted } from "../counted.js";

/** Creates `tillkit downloads report`, which adds up counts by store and period. */
export function downloadsReportCommand({ io, report }: Context) {
  return databaseCommand("report")
    .description(
      "Show the counts of each store by day, week or month. A dash is a period without data. DAYS MISSING counts the days in the period that have no data.",
    )
    .option("--app <app-id>", "the app (default: every app)")
    .requiredOption("--from <day>", "the first day, YYYY-MM-DD")
    .requiredOption("--until <day>", "the last day, YYYY-MM-DD")
    .addOption(
      new Option("--by <length>", "the length of a period; a week starts on Monday")
        .choices(PERIOD_LENGTHS)
        .default("day" as const),
    )
    .option(...POLICY_OPTION)
    .option(...CSV_OPTION)
    .addHelpText(
      "after",
      examples(
        "tillkit downloads report --app app_1 --from 2026-01-01 --until 2026-06-30 --by month",
        "tillkit downloads report --from 2026-01-01 --until 2026-06-30 --csv > downloads.csv",
      ),
    )
    .action(({ app, from, until, by, ...options }) =>
      report(
        options,
        parseWithPolicy(io, options, compareDownloadsInput, { from, until, by }).andThen((input) =>
          withDatabase(io, options, ({ sql, schema }) =>
            appsOf(sql, schema, app).andThen((appIds) =>
              compareDownloads({ downloads: postgresDownloadsSource(sql, schema) }, appIds, input)
                .mapErr(coreFailure)
                .map(reportAnswer),
            ),
          ),
        ),
      ),
    );
}

/** Creates `tillkit downloads gaps`, which shows until when each store has data. */
export function downloadsGapsCommand({ io, report }: Context) {
  return databaseCommand("gaps")
    .description(
      "Show the first and the last day with data of each app and store, and how many days between them have none.",
    )
    .option("--app <app-id>", "the app (default: every app)")
    .option(...CSV_OPTION)
    .addHelpText("after", examples("tillkit downloads gaps", "tillkit downloads gaps --app app_1"))
    .action(({ app, ...options }) =>
      report(
        options,
        withDatabase(io, options, ({ sql, schema }) =>
          appsOf(sql, schema, app).andThen((appIds) =>
            downloadsCoverage({ downloads: postgresDownloadsSource(sql, schema) }, appIds)
              .mapErr(coreFailure)
              .map(gapsAnswer),
          ),
        ),
      ),
    );
}

/** Returns the ids of the chosen app, or of every app. */
function appsOf(
  sql: SqlClient,
  schema: string,
  appId: string | undefined,
): ResultAsync<readonly string[], CliFailure> {
  return postgresAppStore(sql, schema)
    .list()
    .mapErr(coreFailure)
    .andThen((apps) => {
      const ids = apps.map((app) => app.appId);
      if (appId === undefined) return okAsync(ids);
      return ids.includes(appId)
        ? okAsync([appId])
        : errAsync(coreFailure({ name: "app.unknown", appIds: [appId] }));
    });
}

function reportAnswer({ periods, stores, allStores, before }: DownloadsComparison): CommandResult {
  const rows = periods.flatMap(({ from, until }, nth) =>
    stores.map(({ store, periods: counts }) => {
      const count = counts[nth] ?? undefined;
      const days = (Date.parse(until) - Date.parse(from)) / 86_400_000 + 1;
      return [
        from,
        until,
        store,
        count === undefined ? "-" : String(count.newDownloads),
        count === undefined ? "-" : String(count.updateDownloads),
        String(days - (count?.recordedDays ?? 0)),
      ];
    }),
  );
  // Texts, because a spreadsheet that adds up a column must not count the sums too.
  const totals = [...stores, { store: "All Stores", ...allStores }].map(
    (one) =>
      `${one.store}: ${counted(one.newDownloads, "new download")}, ${counted(one.updateDownloads, "update")}`,
  );
  return {
    data: { periods, stores, allStores, before },
    text: [table(["FROM", "UNTIL", "STORE", "NEW", "UPDATES", "DAYS MISSING"], rows), ...totals],
  };
}

function gapsAnswer(stores: readonly AppCoverage[]): CommandResult {
  return {
    data: { stores },
    text: table(
      ["APP ID", "STORE", "FIRST DAY", "LAST DAY", "DAYS MISSING", ""],
      stores.map(({ appId, store, firstDay, lastDay, missingDays }) => [
        appId,
        store,
        firstDay,
        lastDay,
        String(missingDays),
        `no data before ${firstDay} or after ${lastDay}`,
      ]),
    ),
  };
}
