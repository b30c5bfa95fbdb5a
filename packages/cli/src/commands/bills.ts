import {
  BILL_EXCEPTION_STATES,
  defaultPolicy,
  lastBillDay,
  listBillExceptions,
  listBillExceptionsInput,
  parseInput,
  reconcileBills,
  reconcileBillsInput,
  resolveBillException,
  type ResolveBillExceptionFailure,
  resolveBillExceptionInput,
} from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { Option } from "@commander-js/extra-typings";
import { postgresBillExceptionStore } from "@tillkit/postgres";
import { billsAnswer, exceptionsAnswer } from "../bill-answer.js";
import { billProgress } from "../bill-progress.js";
import { inAnyCase } from "../choice.js";
import type { Context } from "../context.js";
import { withDatabase } from "../database.js";
import { type CliFailure, coreFailure, failure } from "../failure.js";
import { wholeNumber } from "../numbers.js";
import { withWallets } from "../ports.js";
import { databaseCommand, examples, groupCommand, keyedCommand } from "../settings.js";

/**
 * Creates `tillkit bills`, which compares the wallets' bills of a day with the orders and refunds.
 */
export function billsCommand({ io, report }: Context) {
  const reconcile = keyedCommand("reconcile")
    .description(
      "Compare the wallets' trade bills of a day with the orders and refunds here, and the fund-flow bills with both, and note what differs. Payments and refunds that the wallet confirms when it is asked are taken over. Run it as often as you like. Ends with 1 if a difference is open, and with 5 if there is none but a bill could not be read.",
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
      "List what differs between the bills and the record, first found first. Ends with 1 if any is open.",
    )
    .addOption(
      new Option("--state <state>", "those that are open, or closed in this way")
        .choices(BILL_EXCEPTION_STATES)
        .argParser(inAnyCase(BILL_EXCEPTION_STATES))
        .default("OPEN" as const),
    )
    .option("--page <number>", "which page", wholeNumber, 1)
    .addHelpText(
      "after",
      examples("tillkit bills exceptions", "tillkit bills exceptions --state RESOLVED --page 2"),
    )
    .action(({ state, page, ...options }) =>
      report(
        options,
        parseInput(listBillExceptionsInput(defaultPolicy), { state, pageNum: page })
          .mapErr(coreFailure)
          .asyncAndThen((input) =>
            withDatabase(io, options, ({ sql, schema, onUnreadable }) => {
              const billExceptions = postgresBillExceptionStore(sql, schema, onUnreadable);
              return listBillExceptions({ billExceptions }, input)
                .mapErr(coreFailure)
                .map((listed) => exceptionsAnswer(listed, state));
            }),
          ),
      ),
    );

  const resolve = databaseCommand("resolve")
    .description(
      "Close an exception that has been seen to. It moves no money and no order, and stays closed when the bill is compared again, unless the amounts are others then.",
    )
    .argument("<id>", "the exception's id")
    .requiredOption("--operator <name>", "who")
    .requiredOption("--note <text>", "what became of it")
    .addHelpText(
      "after",
      examples(
        'tillkit bills resolve 5f0c1a9be2d34a7788aa01cd --operator kim --note "refunded at the wallet"',
      ),
    )
    .action((id, { operator, note, ...options }) =>
      report(
        options,
        parseInput(resolveBillExceptionInput(), { id, operator, note })
          .mapErr(coreFailure)
          .asyncAndThen((input) =>
            withDatabase(io, options, ({ sql, schema }) =>
              resolveBillException(
                { billExceptions: postgresBillExceptionStore(sql, schema), clock: io.clock },
                input,
              )
                .mapErr(resolveFailure)
                .map((exception) => ({
                  data: { exception },
                  text: `The exception ${exception.id} (${exception.kind}) is ${exception.state}.`,
                })),
            ),
          ),
      ),
    );

  return groupCommand("bills")
    .description("The wallets' bills of a day, compared with the record.")
    .addCommand(reconcile)
    .addCommand(exceptions)
    .addCommand(resolve);
}

function resolveFailure(problem: ResolveBillExceptionFailure | StorageFailure): CliFailure {
  switch (problem.name) {
    case "bill-exception.not-found":
      return failure(
        "refused",
        problem.name,
        "There is no such exception. `tillkit bills exceptions` lists them.",
      );
    case "bill-exception.not-open":
      return failure(
        "refused",
        problem.name,
        `The exception is closed already: it is ${problem.exception.state}.`,
      );
    case "storage.unavailable":
      return coreFailure(problem);
  }
}
