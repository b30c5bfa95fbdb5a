import { lastDownloadsDay, recordDownloads } from "@tillkit/core";
import { storeFinder } from "@tillkit/core/ports";
import { postgresAuditLog, postgresDownloadsSource } from "@tillkit/postgres";
import { systemRandom } from "@tillkit/runtime";
import { Option } from "@commander-js/extra-typings";
import { err, errAsync, ok, okAsync, type Result, type ResultAsync } from "neverthrow";
import { z } from "zod";
import { auditedCommand, commandOf } from "../audit.js";
import type { CommandResult } from "../answer.js";
import { CHANGES_OPTION, openCountChanges } from "../count-changes.js";
import type { Context } from "../context.js";
import {
  type CountsFormat,
  DATE_FORMAT_NAMES,
  ENCODINGS,
  formatOf,
  type FormatOptions,
  INSTALLS,
  PRESETS,
} from "../counts-format.js";
import { deleteDownloadsCommand, setDownloadsCommand } from "./change-downloads.js";
import { downloadsGapsCommand, downloadsReportCommand } from "./report-downloads.js";
import { openCountsInput } from "../counts-input.js";
import { openCsvCounts } from "../csv-counts.js";
import { withDatabase } from "../database.js";
import { type CliFailure, coreFailure, usage } from "../failure.js";
import type { Input } from "../input-file.js";
import {
  ERRORS_OPTION,
  moreProblems,
  openProblemReport,
  problemLine,
  type Problems,
} from "../problem-report.js";
import { importProgress } from "../progress.js";
import { fileFailure, readJson } from "../read-text.js";
import { AUDIT_OPTIONS, databaseCommand, examples, groupCommand } from "../settings.js";

const FILE_HELP = `
The first line names the columns, in any order. Other columns are ignored.
  appId            the app; omit this column if you set --app
  store            the app store, such as store_01
  date             the day, YYYY-MM-DD
  newDownloads     whole number, 0 or more
  updateDownloads  whole number, 0 or more
The text is UTF-8 or UTF-16, with or without a byte order mark, or in the encoding of --encoding. Fields may be quoted. Lines end with LF or CRLF. The file may be compressed by gzip, or the only file of a ZIP archive. If two lines have the same app, store and day, the later line counts; with --preset, --map or --store, the file is wrong; with --sum, they are added up. If a line is wrong or an app is unknown, nothing is written.
Presets read the exports of stores unchanged:
  app-store-connect  the daily summary sales report. Units of first downloads are new, units of updates are updates. Re-downloads, bundles and in-app purchases are left out. Returns are subtracted.
  google-play        installs_<package>_<month>_overview.csv. Daily user installs are new, daily device upgrades are updates.`;

/** The app of each product of a store. */
const productsFile = z.record(z.string(), z.string());

/** Creates `tillkit downloads`, which imports the counts that the downloads endpoints return. */
export function downloadsCommand({ io, report }: Context) {
  const load = databaseCommand("import")
    .description(
      "Import download counts from a CSV file, in one transaction. If you import the same file again, nothing changes.",
    )
    .argument("<file>", "the CSV file, - for standard input")
    .option("--app <app-id>", "the app of every line, for a file without the column appId")
    .addOption(new Option("--preset <store>", "the store whose export the file is").choices(PRESETS))
    .addOption(
      new Option(
        "--installs <kind>",
        "which installs of Google Play are new downloads, user if not set",
      ).choices(INSTALLS),
    )
    .option(
      "--products <file>",
      'a JSON file with the app of each product, such as {"com.example.notes":"app_1"}; a product is an Apple identifier, a SKU, or the value of the column appId',
    )
    .option("--map <columns>", "the names of columns in the file, such as date=Day,newDownloads=Installs")
    .option("--store <name>", "the store of every line; the store's own name with --preset")
    .option("--delimiter <character>", "what separates the fields: a character, or tab; a comma if not set")
    .addOption(new Option("--encoding <name>", "the encoding of the text").choices(ENCODINGS))
    .addOption(
      new Option("--date-format <format>", "how dates are written, YYYY-MM-DD if not set").choices(
        DATE_FORMAT_NAMES,
      ),
    )
    .option("--thousands <character>", "the separator between the thousands of a number")
    .option("--sum", "add up the lines of a day")
    .option("--strict", "refuse a store that `tillkit stores list` does not list, instead of adding it")
    .option(...CHANGES_OPTION)
    .option(...AUDIT_OPTIONS[0])
    .option(...AUDIT_OPTIONS[1])
    .option(...ERRORS_OPTION)
    .addHelpText("after", FILE_HELP)
    .addHelpText(
      "after",
      examples(
        "tillkit downloads import counts.csv",
        "tillkit downloads import counts.csv.gz --app app_1",
        "tillkit downloads import S_D_80012345_20260115.txt.gz --preset app-store-connect --products products.json",
        "tillkit downloads import counts.csv --app app_1 --store 华为 --encoding gbk --map date=日期,newDownloads=新增,updateDownloads=更新",
      ),
    )
    .action((file, { app, errors, changes, strict = false, ...options }) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          formatIn(io, options, app).andThen((format) =>
            openProblemReport(errors).asyncAndThen((problems) =>
              openCountChanges(changes).asyncAndThen((changed) =>
                openCountsInput(io, file, options.encoding).andThen((input) => {
                  const progress = importProgress(io, input, { bar: options.json !== true, unit: "counts" });
                  return withDatabase(io, options, ({ sql, schema }) => {
                    const auditLog = postgresAuditLog(sql, schema);
                    const downloads = postgresDownloadsSource(sql, schema);
                    const ports = { auditLog, clock: io.clock, random: systemRandom };
                    const facts = { action: "downloads.import", subject: "downloads" } as const;
                    return auditedCommand(
                      ports,
                      by,
                      app === undefined ? facts : { ...facts, appId: app },
                      () =>
                        downloads
                          .storeNames()
                          .mapErr(coreFailure)
                          .andThen((names) => {
                            const counts = openCsvCounts(input, app, {
                              format,
                              lastDay: lastDownloadsDay(io.clock.now()),
                              storeOf: storeFinder(names),
                              onProblem: (line, message) => void problems.report(line, message),
                            });
                            return recordDownloads(
                              { downloads, clock: io.clock },
                              progress.over(counts.batches),
                              { strict, onChange: (change) => changed.report(change) },
                            ).mapErr(coreFailure);
                          }),
                      ({ written, changed: all, added }) =>
                        JSON.stringify({ written, added, changed: all - added }),
                    );
                  })
                    .map((upserted) => {
                      problems.end();
                      return changed.end(upserted);
                    })
                    .orElse((problem) => {
                      changed.abandon();
                      return explained(input, problems.end(), problem);
                    })
                    .andTee(() => progress.stop())
                    .orTee(() => progress.stop());
                }),
              ),
            ),
          ),
        ),
      ),
    );

  return groupCommand("downloads")
    .description("Manage the counts that the downloads endpoints return.")
    .addCommand(load)
    .addCommand(downloadsReportCommand({ io, report }))
    .addCommand(downloadsGapsCommand({ io, report }))
    .addCommand(setDownloadsCommand({ io, report }))
    .addCommand(deleteDownloadsCommand({ io, report }));
}

/** Returns the format that the options describe, with its products. */
function formatIn(
  io: Context["io"],
  options: FormatOptions & { readonly products?: string | undefined },
  app: string | undefined,
): ResultAsync<CountsFormat, CliFailure> {
  const { preset, products: file } = options;
  if (file !== undefined && app !== undefined) return errAsync(usage("Use one of --app and --products."));
  if (preset !== undefined && file === undefined && app === undefined)
    return errAsync(usage("--preset needs --app or --products."));
  return formatOf(options).asyncAndThen((format) => {
    if (file === undefined) return okAsync(format);
    const json = { what: "file of products", command: "tillkit downloads import" };
    return readJson(io, file, json).andThen((value) => {
      const products = productsFile.safeParse(value);
      return products.success
        ? ok({ ...format, products: new Map(Object.entries(products.data)) })
        : err(usage("The file of --products is not an object with an app for each product."));
    });
  });
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
