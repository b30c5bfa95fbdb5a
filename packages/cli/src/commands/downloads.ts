import { postgresDownloadsSource } from "@tillkit/postgres";
import { err, ok, type Result } from "neverthrow";
import type { CommandResult } from "../answer.js";
import type { Context } from "../context.js";
import { type CsvCounts, openCsvCounts } from "../csv-counts.js";
import { withDatabase } from "../database.js";
import { type CliFailure, coreFailure } from "../failure.js";
import { type Input, openInput } from "../input-file.js";
import { importProgress } from "../progress.js";
import { fileFailure } from "../read-text.js";
import { databaseCommand, examples, groupCommand } from "../settings.js";

const FILE_HELP = `
The first line names the columns, in any order; other columns are ignored:
  appId            the app; leave it out when --app is given
  store            the app store, such as store_01
  date             the day, YYYY-MM-DD
  newDownloads     whole number, 0 or more
  updateDownloads  whole number, 0 or more
UTF-8, with or without a byte order mark; fields may be quoted; lines end with LF or CRLF. Of two counts of one
app, store and day the later stands. All of the file is written or, if a line is wrong or an app unknown, none of it.`;

/** Creates `tillkit downloads`, which imports the counts that the downloads endpoints return. */
export function downloadsCommand({ io, report }: Context) {
  const load = databaseCommand("import")
    .description(
      "Write the download counts of a CSV file: all of it or nothing. The same file twice changes nothing.",
    )
    .argument("<file>", "the CSV file, - for standard input")
    .option("--app <app-id>", "the app of every line, for a file without the column appId")
    .addHelpText("after", FILE_HELP)
    .addHelpText(
      "after",
      examples(
        "tillkit downloads import counts.csv",
        "zcat counts.csv.gz | tillkit downloads import - --app app_1",
      ),
    )
    .action((file, { app, ...options }) =>
      report(
        options,
        openInput(io, file).andThen((input) => {
          const counts = openCsvCounts(input, app);
          const progress = importProgress(io, input, { bar: options.json !== true });
          return withDatabase(io, options, ({ sql, schema }) =>
            postgresDownloadsSource(sql, schema).upsert(progress.over(counts.batches)).mapErr(coreFailure),
          )
            .map((upserted) => answerOf(upserted))
            .orElse((problem) => explained(input, counts, problem))
            .andTee(() => progress.stop())
            .orTee(() => progress.stop());
        }),
      ),
    );

  return groupCommand("downloads")
    .description("The counts that the downloads endpoints answer with.")
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
  { problems }: CsvCounts,
  problem: CliFailure,
): Result<CommandResult, CliFailure> {
  if (errored !== null) return err(fileFailure(errored));
  if (problems.total === 0) return err(problem);
  const { total, first } = problems;
  const shown = first.map(({ line, message }) => `  line ${line}: ${message}`);
  const more = total > first.length ? [`  and ${total - first.length} more`] : [];
  return ok({
    data: { error: { name: "csv.invalid", message: "Nothing was imported." }, problems: { total, first } },
    text: [`Nothing was imported: ${total} lines are wrong.`, ...shown, ...more].join("\n"),
    finding: true,
  });
}
