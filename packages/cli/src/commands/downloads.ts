import { lastDownloadsDay, recordDownloads } from "@tillkit/core";
import { postgresAuditLog, postgresDownloadsSource } from "@tillkit/postgres";
import { systemRandom } from "@tillkit/runtime";
import { err, ok, type Result } from "neverthrow";
import { auditedCommand, commandOf } from "../audit.js";
import type { CommandResult } from "../answer.js";
import type { Context } from "../context.js";
import { openCsvCounts } from "../csv-counts.js";
import { withDatabase } from "../database.js";
import { type CliFailure, coreFailure } from "../failure.js";
import { type Input, openTextInput } from "../input-file.js";
import {
  ERRORS_OPTION,
  moreProblems,
  openProblemReport,
  problemLine,
  type Problems,
} from "../problem-report.js";
import { importProgress } from "../progress.js";
import { fileFailure } from "../read-text.js";
import { AUDIT_OPTIONS, databaseCommand, examples, groupCommand } from "../settings.js";

const FILE_HELP = `
The first line names the columns, in any order. Other columns are ignored.
  appId            the app; omit this column if you set --app
  store            the app store, such as store_01
  date             the day, YYYY-MM-DD
  newDownloads     whole number, 0 or more
  updateDownloads  whole number, 0 or more
The text is UTF-8, with or without a byte order mark. Fields may be quoted. Lines end with LF or CRLF. If two lines have the same app, store and day, the later line counts. If a line is wrong or an app is unknown, nothing is written.`;

/** Creates `tillkit downloads`, which imports the counts that the downloads endpoints return. */
export function downloadsCommand({ io, report }: Context) {
  const load = databaseCommand("import")
    .description(
      "Import download counts from a CSV file, in one transaction. If you import the same file again, nothing changes.",
    )
    .argument("<file>", "the CSV file, - for standard input")
    .option("--app <app-id>", "the app of every line, for a file without the column appId")
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .option(...ERRORS_OPTION)
    .addHelpText("after", FILE_HELP)
    .addHelpText(
      "after",
      examples(
        "tillkit downloads import counts.csv",
        "zcat counts.csv.gz | tillkit downloads import - --app app_1",
      ),
    )
    .action((file, { app, errors, ...options }) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          openProblemReport(errors).asyncAndThen((problems) =>
            openTextInput(io, file).andThen((input) => {
              const counts = openCsvCounts(input, app, {
                lastDay: lastDownloadsDay(io.clock.now()),
                onProblem: (line, message) => void problems.report(line, message),
              });
              const progress = importProgress(io, input, { bar: options.json !== true, unit: "counts" });
              return withDatabase(io, options, ({ sql, schema }) => {
                const auditLog = postgresAuditLog(sql, schema);
                const ports = { auditLog, clock: io.clock, random: systemRandom };
                const facts = { action: "downloads.import", subject: "downloads" } as const;
                return auditedCommand(ports, by, app === undefined ? facts : { ...facts, appId: app }, () =>
                  recordDownloads(
                    { downloads: postgresDownloadsSource(sql, schema), clock: io.clock },
                    progress.over(counts.batches),
                  ).mapErr(coreFailure),
                );
              })
                .map((upserted) => {
                  problems.end();
                  return answerOf(upserted);
                })
                .orElse((problem) => explained(input, problems.end(), problem))
                .andTee(() => progress.stop())
                .orTee(() => progress.stop());
            }),
          ),
        ),
      ),
    );

  return groupCommand("downloads")
    .description("Manage the counts that the downloads endpoints return.")
    .addCommand(load);
}

function answerOf({
  written,
  changed,
}: {
  readonly written: number;
  readonly changed: number;
}): CommandResult {
  return { data: { written, changed }, text: `${written} counts read, ${changed} changed.` };
}

/** Replaces a storage failure with the problems of the file, if the file has any. */
function explained(
  { stream: { errored } }: Input,
  problems: Problems,
  problem: CliFailure,
): Result<CommandResult, CliFailure> {
  if (errored !== null) return err(fileFailure(errored));
  const { total, first } = problems;
  if (total === 0) return err(problem);
  const shown = first.map((one) => `  ${problemLine(one)}`);
  return ok({
    data: { error: { name: "csv.invalid", message: "Nothing was imported." }, problems },
    text: [`Nothing was imported. The file has ${total} problems:`, ...shown, ...moreProblems(problems)].join(
      "\n",
    ),
    finding: true,
  });
}
