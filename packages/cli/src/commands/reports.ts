import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import {
  type BillReport,
  billReportInput,
  type BillReportInput,
  openBillReport,
  parseInput,
} from "@tillkit/core";
import { type BillReportFormat, billReportTexts, moneyText } from "@tillkit/core/operators";
import { errAsync, okAsync } from "neverthrow";
import { inAnyCase } from "../case-insensitive-choice.js";
import type { Context } from "../context.js";
import { writeTo } from "../export-file.js";
import { coreFailure } from "../failure.js";
import { channelOption, dayOf } from "../list-options.js";
import { withPorts } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { databaseOnly, fromSource, type Server } from "../server/open-server.js";
import { readReport, type ReportAtServer } from "../server/reports.js";
import { examples, groupCommand, keyedCommand } from "../settings.js";
import { counted } from "../counted.js";

const FORMATS = ["csv", "json"] as const satisfies readonly BillReportFormat[];
const GATEWAYS = ["PROD", "DEV"] as const;

const DESCRIPTION =
  "what the wallets' bills state: payments, refunds, fees and net by day, channel, account and app. The sums equal those of the bills, and where they cannot, the report names the open exceptions, the missing days and the differences. Exits with 1 in that case. Reads the bills that `tillkit bills reconcile` has compared, and calls no wallet.";

/** Creates `tillkit reports`, which adds up the wallets' bills for bookkeeping. */
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
    .description("Add up the wallets' bills of a month or a day for bookkeeping.")
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
      "report only lines of this app's orders: no line of another app, and no line with an unknown number",
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
    .option("--lines", "also write a line for each payment and refund")
    .option(...SERVER_OPTION);
}

type ReportOptions = ReturnType<ReturnType<typeof reportCommand>["opts"]>;

function answer({ io, report }: Context, period: string, file: string, options: ReportOptions) {
  const { app: appId, channel: payChannel, account: accountId, gateway: appEnv, format, lines } = options;
  const asked = { period, appId, payChannel, accountId, appEnv };
  const inDatabase = (input: BillReportInput) =>
    withPorts(io, options, (ports) =>
      openBillReport(ports, input, () => true)
        .mapErr(coreFailure)
        .andThen((opened) =>
          writeTo(io, file, textItself, billReportTexts(opened, format, lines === true)).map(() =>
            factsOf(opened.report),
          ),
        ),
    );
  const atServer = (server: Server, input: BillReportInput) => {
    if (format !== "csv") return errAsync(databaseOnly("--format json"));
    return readReport(server, input, lines === true).andThen(({ report: read, csv }) =>
      writeTo(io, file, textItself, (after: string | undefined) =>
        okAsync(after === undefined ? [csv] : []),
      ).map(() => factsAtServer(read)),
    );
  };
  return report(
    options,
    parseInput(billReportInput(), asked)
      .mapErr(coreFailure)
      .asyncAndThen((input) =>
        fromSource(io, options, {
          database: () => inDatabase(input),
          server: (server) => atServer(server, input),
        }).map((facts) => reportAnswer(facts, file)),
      ),
  );
}

const textItself = (text: string): string => text;

/** What the answer contains about a report. */
interface ReportFacts extends Pick<BillReport, "from" | "until" | "isComplete"> {
  readonly total: ReportAtServer["total"];
  readonly hasAccounts: boolean;
  readonly missingDays: number;
  readonly openExceptions: number;
  readonly hasMoreExceptions: boolean;
  readonly differences: number;
}

function factsOf({ accounts, missingDays, exceptions, differences, ...report }: BillReport): ReportFacts {
  const { from, until, total, isComplete, hasMoreExceptions } = report;
  return {
    from,
    until,
    total,
    isComplete,
    hasMoreExceptions,
    hasAccounts: accounts.length > 0,
    missingDays: daysIn(missingDays),
    openExceptions: exceptions.length,
    differences: differences.length,
  };
}

function factsAtServer({
  accounts,
  missingDays,
  openExceptions,
  differences,
  ...report
}: ReportAtServer): ReportFacts {
  return {
    ...report,
    hasAccounts: accounts.length > 0,
    missingDays: daysIn(missingDays),
    openExceptions: openExceptions.reduce((sum, { count }) => sum + count, 0),
    differences: differences.length,
  };
}

function daysIn(missing: readonly { readonly days: readonly string[] }[]): number {
  return missing.reduce((count, { days }) => count + days.length, 0);
}

/** Builds the answer for a written report. */
function reportAnswer({ hasAccounts, hasMoreExceptions, ...report }: ReportFacts, file: string) {
  const { from, until, total, isComplete, missingDays, openExceptions, differences } = report;
  const open = `${openExceptions}${hasMoreExceptions ? " or more" : ""}`;
  return {
    data: { file, from, until, isComplete, total, missingDays, openExceptions, differences },
    text: [
      `${from} to ${until}: ${counted(total.payments, "payment")} of ${moneyText(total.paymentAmount)}, ${counted(total.refunds, "refund")} of ${moneyText(total.refundAmount)}, fees ${moneyText(total.fees)}, net ${moneyText(total.net)}.`,
      !hasAccounts
        ? "No merchant account matches the options."
        : isComplete
          ? "The sums are those of the wallets' bills."
          : `The report is not complete. Missing days: ${missingDays}. Open exceptions: ${open}. Differences: ${differences}. The report names them.`,
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
