import {
  BILL_EXCEPTION_KINDS,
  lastBillDay,
  parseInput,
  reconcileBills,
  reconcileBillsInput,
} from "@tillkit/core";
import { listBillExceptions, listBillExceptionsInput } from "@tillkit/core/operators";
import { BILL_EXCEPTION_STATES } from "@tillkit/core/ports";
import { Option } from "@commander-js/extra-typings";
import { errAsync, okAsync } from "neverthrow";
import { postgresBillExceptionStore } from "@tillkit/postgres";
import { billsAnswer, exceptionsAnswer, withRemedies } from "../bill-answer.js";
import { billProgress } from "../bill-progress.js";
import { inAnyCase } from "../case-insensitive-choice.js";
import type { Context } from "../context.js";
import { withDatabase } from "../database.js";
import { coreFailure, UNKNOWN_HELP } from "../failure.js";
import { withWallets } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { listExceptions } from "../server/bills.js";
import { databaseOnly, fromSource } from "../server/open-server.js";
import { adoptExceptionCommand, assignExceptionCommand, closeExceptionCommand } from "./close-exceptions.js";
import { CSV_OPTION, databaseCommand, examples, groupCommand, walletCommand } from "../settings.js";

/** The number of exceptions that one command lists. */
const PAGE = 100;

/**
 * Creates `tillkit bills`, which compares the wallets' bills of a day with the orders and refunds.
 */
export function billsCommand({ io, report }: Context) {
  const reconcile = walletCommand("reconcile")
    .description(
      `Compare the wallets' trade bills of a day with the stored orders and refunds, and the fund-flow bills with the trade bills and the records. Store each difference as an exception. If the wallet confirms a payment or refund, record it. You can repeat the command. Exits with 1 if an exception is open, and with 5 if no exception is open but a bill could not be read. ${UNKNOWN_HELP}`,
    )
    .option("--date <day>", "the day in China, YYYY-MM-DD (default: yesterday)")
    .addHelpText(
      "after",
      examples("tillkit bills reconcile", "tillkit bills reconcile --date 2026-01-31 --json"),
    )
    .action(({ date, ...options }) =>
      report(
        options,
        parseInput(reconcileBillsInput(), { day: date ?? lastBillDay(io.clock.now()) })
          .mapErr(coreFailure)
          .asyncAndThen((input) => {
            const progress = billProgress(io, { bar: options.json !== true });
            return withWallets(io, options, (ports) =>
              reconcileBills(ports, input, progress.onProgress)
                .mapErr(coreFailure)
                .map((outcomes) => billsAnswer(input.day, outcomes)),
            )
              .andTee(() => progress.stop())
              .orTee(() => progress.stop());
          }),
      ),
    );

  const exceptions = databaseCommand("exceptions")
    .description(
      `List exceptions: differences between the bills and the stored orders and refunds, the last found first, at most ${PAGE}. Exits with 1 if an exception is open.`,
    )
    .addOption(
      new Option("--state <state>", "list only exceptions in this state")
        .choices(BILL_EXCEPTION_STATES)
        .argParser(inAnyCase(BILL_EXCEPTION_STATES))
        .default("OPEN" as const),
    )
    .option("--date <day>", "list only exceptions of the bills of this day, YYYY-MM-DD")
    .addOption(
      new Option("--kind <kind>", "list only exceptions of this kind")
        .choices(BILL_EXCEPTION_KINDS)
        .argParser(inAnyCase(BILL_EXCEPTION_KINDS)),
    )
    .option("--app <app-id>", "list only exceptions of orders of this app")
    .option("--account <account-id>", "list only exceptions of this merchant account")
    .option("--order <order-id>", "list only exceptions of the order with this id")
    .option("--before <id>", "continue after the exception with this id, the last one of the previous list")
    .option(...CSV_OPTION)
    .option(...SERVER_OPTION)
    .addHelpText(
      "after",
      examples("tillkit bills exceptions", "tillkit bills exceptions --state RESOLVED --date 2026-01-31"),
    )
    .action(({ state, date, kind, app, account, order, before, ...options }) =>
      report(
        options,
        fromSource(io, options, {
          database: () =>
            withDatabase(io, options, ({ sql, schema, onUnreadable }) => {
              const billExceptions = postgresBillExceptionStore(sql, schema, onUnreadable);
              return (before === undefined ? okAsync(undefined) : billExceptions.find(before))
                .mapErr(coreFailure)
                .andThen((last) => {
                  const filter = { state, day: date, kind, accountId: account, outTradeNo: order };
                  const place = last && { gmtCreate: last.gmtCreate, id: last.id };
                  const query = { ...filter, before: place, limit: PAGE };
                  return parseInput(listBillExceptionsInput(), query).mapErr(coreFailure);
                })
                .andThen((input) =>
                  listBillExceptions({ billExceptions }, input, app === undefined ? undefined : [app]).mapErr(
                    coreFailure,
                  ),
                )
                .map((listed) => withRemedies(listed, io.clock.now()));
            }),
          server: (server) =>
            app === undefined
              ? listExceptions(server, {
                  state,
                  day: date,
                  kind,
                  accountId: account,
                  outTradeNo: order,
                  before,
                  limit: PAGE,
                })
              : errAsync(databaseOnly("--app")),
        }).map((listed) => exceptionsAnswer(listed, state)),
      ),
    );

  return groupCommand("bills")
    .description("Compare the wallets' daily bills with the stored orders and refunds.")
    .addCommand(reconcile)
    .addCommand(exceptions)
    .addCommand(adoptExceptionCommand({ io, report }))
    .addCommand(closeExceptionCommand({ io, report }, "resolve"))
    .addCommand(assignExceptionCommand({ io, report }))
    .addCommand(closeExceptionCommand({ io, report }, "not-ours"));
}
