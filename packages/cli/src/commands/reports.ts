import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import {
  type BillReport,
  type BillReportFormat,
  billReportInput,
  billReportTexts,
  moneyText,
  openBillReport,
  parseInput,
} from "@tillkit/core";
import { inAnyCase } from "../case-insensitive-choice.js";
import type { Context } from "../context.js";
import { writeTo } from "../export-file.js";
import { coreFailure } from "../failure.js";
import { channelOption, dayOf } from "../list-options.js";
import { withPorts } from "../ports.js";
import { examples, groupCommand, keyedCommand } from "../settings.js";

const FORMATS = ["csv", "json"] as const satisfies readonly BillReportFormat[];
const GATEWAYS = ["PROD", "DEV"] as const;

const DESCRIPTION =
  "what the wallets' bills state: payments, refunds, fees and net by day, channel, account and app. The sums equal those of the bills, and where they cannot, the report names the open exceptions, the missing days and the differences. Exits with 1 in that case. Reads the bills that `tillkit bills reconcile` has compared, and calls no wallet.";

/** Creates `tillkit reports`, which adds up the wallets' bills for the accounts. */
export function reportsCommand(context: Context) {
  const month = reportCommand("month")
    .description(`Report a month: ${DESCRIPTION}`)
    .requiredOption("--month <month>", "the month, YYYY-MM", monthOf)
    .addHelpText(
      "after",
      examples(
        "tillkit reports month --month 2026-10 > 2026-10.csv",
        "tillkit reports month --month 2026-10 --app app_1 --lines 2026-10-app_1.csv",
      ),
    )
    .action((file, { month: period, ...options }) => answer(context, period, file, options));
  const day = reportCommand("day")
    .description(`Report a day: ${DESCRIPTION}`)
    .requiredOption("--day <day>", "the day in China, YYYY-MM-DD", dayOf)
    .addHelpText("after", examples("tillkit reports day --day 2026-10-03 --lines --format json"))
    .action((file, { day: period, ...options }) => answer(context, period, file, options));
  return groupCommand("reports")
    .description("Add up the wallets' bills of a month or a day for the accounts.")
    .addCommand(month)
    .addCommand(day);
}

function reportCommand(name: string) {
  return keyedCommand(name)
    .argument(
      "[file]",
      "the file to write, - for standard output; an existing file is replaced at the end",
      "-",
    )
    .option(
      "--app <app-id>",
      "report only this app: no line of another app of its accounts, and none of an unknown number",
    )
    .addOption(channelOption("bills"))
    .option("--account <account-id>", "report only this merchant account")
    .addOption(
      new Option("--gateway <gateway>", "report the bills of this gateway of the wallets")
        .choices(GATEWAYS)
        .argParser(inAnyCase(GATEWAYS))
        .default("PROD" as const),
    )
    .addOption(
      new Option("--format <format>", "csv for spreadsheets with amounts in yuan, or json with cents")
        .choices(FORMATS)
        .argParser(inAnyCase(FORMATS))
        .default("csv" as const),
    )
    .option("--lines", "also write a line for each payment and refund");
}

type ReportOptions = ReturnType<ReturnType<typeof reportCommand>["opts"]>;

function answer({ io, report }: Context, period: string, file: string, options: ReportOptions) {
  const { app: appId, channel: payChannel, account: accountId, gateway: appEnv, format, lines } = options;
  const asked = { period, appId, payChannel, accountId, appEnv };
  return report(
    options,
    parseInput(billReportInput(), asked)
      .mapErr(coreFailure)
      .asyncAndThen((input) =>
        withPorts(io, options, (ports) =>
          openBillReport(ports, input, () => true)
            .mapErr(coreFailure)
            .andThen((opened) => {
              const next = billReportTexts(opened, format, lines === true);
              return writeTo(io, file, (text: string) => text, next).map(() =>
                reportAnswer(opened.report, file),
              );
            }),
        ),
      ),
  );
}

/** Builds the answer for a written report. */
function reportAnswer(report: BillReport, file: string) {
  const { from, until, total, isComplete, missingDays, exceptions, differences } = report;
  const missing = missingDays.reduce((count, { days }) => count + days.length, 0);
  const open = `${exceptions.length}${report.hasMoreExceptions ? " or more" : ""}`;
  const data = { file, from, until, isComplete, total };
  const counts = { missingDays: missing, openExceptions: exceptions.length, differences: differences.length };
  return {
    data: { ...data, ...counts },
    text: [
      `${from} to ${until}: ${total.payments} payments of ${moneyText(total.paymentAmount)}, ${total.refunds} refunds of ${moneyText(total.refundAmount)}, fees ${moneyText(total.fees)}, net ${moneyText(total.net)}.`,
      report.accounts.length === 0
        ? "No merchant account matches the options."
        : isComplete
          ? "The sums are those of the wallets' bills."
          : `The report is not complete. Missing days: ${missing}. Open exceptions: ${open}. Differences: ${differences.length}. The report names them.`,
      ...(file === "-" ? [] : [`The file is ${file}.`]),
    ].join("\n"),
    finding: !isComplete,
    toStderr: file === "-",
  };
}

/** Parses an option as a month, `YYYY-MM`. */
function monthOf(text: string): string {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text))
    throw new InvalidArgumentError("The value must be a month, such as 2026-01.");
  return text;
}
