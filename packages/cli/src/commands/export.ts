import type { Stores } from "@tillkit/core";
import { customerLine, orderLine } from "@tillkit/core/operators";
import { serviceLine } from "@tillkit/core/ports";
import type { ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import { auditedCommand, type AuditOptions, commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { EXPORT_FILE_ARGUMENT, exportTo, type NextPage } from "../export-file.js";
import type { CliFailure } from "../failure.js";
import type { Io } from "../io.js";
import { refundLine, refundPages, settlementPages } from "../export-pages.js";
import { dayOf, periodOf } from "../list-options.js";
import { type KeyedOptions, withPorts, withSnapshot } from "../ports.js";
import { changingCommand, examples, groupCommand } from "../settings.js";

const PAGE = 500;

const ONE_STATE =
  "Every record is in one state of the database, so none is missing or written twice while hosts write. Only the owner can read the file.";

/** Creates `tillkit export`, which writes the files that `tillkit import` reads. */
export function exportCommand({ io, report }: Context) {
  const orders = rangeCommand("orders", "the orders", "orders that were created on")
    .description(
      `Write orders to a file that \`tillkit import orders\` reads, sorted by bizNo and app. ${ONE_STATE} It contains no credentials, no customer ids of the wallets, no timelines and no single refunds.`,
    )
    .addHelpText(
      "after",
      examples(
        "tillkit export orders orders.jsonl",
        "tillkit export orders october.jsonl --app app_1 --from 2026-10-01 --until 2026-10-31",
      ),
    )
    .action((file, { app: appId, from, until, ...options }) =>
      report(
        options,
        exported(
          io,
          options,
          { file, records: "orders", lineOf: orderLine, appId },
          ({ orders }) =>
            (after) =>
              orders.listAll({ appId, ...periodOf({ from, until }), after, limit: PAGE }),
        ),
      ),
    );

  const refunds = rangeCommand("refunds", "the refunds", "refunds that were requested on")
    .description(
      `Write refunds to a file, newest first, also those that were made in a console of a wallet and adopted. ${ONE_STATE}`,
    )
    .addHelpText(
      "after",
      examples("tillkit export refunds refunds.jsonl", "tillkit export refunds - --from 2026-10-01"),
    )
    .action((file, { app: appId, from, until, ...options }) =>
      report(
        options,
        exported(
          io,
          options,
          { file, records: "refunds", lineOf: refundLine, appId },
          ({ refunds: stored }) =>
            refundPages(stored, {
              apps: appId === undefined ? undefined : [appId],
              ...periodOf({ from, until }),
            }),
        ),
      ),
    );

  const settlements = rangeCommand("settlements", "the lines of orders", "bills of")
    .description(
      `Write the lines of the wallets' bills to a file, with the fee and the net amount of each, sorted by day, account and place in the bill. ${ONE_STATE} Contains the bills that \`tillkit bills reconcile\` has compared.`,
    )
    .addHelpText(
      "after",
      examples("tillkit export settlements october.jsonl --from 2026-10-01 --until 2026-10-31"),
    )
    .action((file, { app: appId, from, until, ...options }) =>
      report(
        options,
        exported(
          io,
          options,
          { file, records: "settlements", lineOf: (line: object) => JSON.stringify(line), appId },
          ({ keptBills }) => settlementPages(keptBills, { appId, from, until }),
        ),
      ),
    );

  const services = appCommand("services", "the services")
    .description(
      "Write the timed services of all customers to a file that `tillkit import services` reads. Only the owner can read the file.",
    )
    .addHelpText(
      "after",
      examples(
        "tillkit export services services.jsonl",
        "tillkit export services - | gzip > services.jsonl.gz",
      ),
    )
    .action((file, { app: appId, ...options }) =>
      report(
        options,
        exported(
          io,
          options,
          { file, records: "services", lineOf: serviceLine, appId },
          ({ services }) =>
            (after) =>
              services.listAll({ appId, after, limit: PAGE }),
        ),
      ),
    );

  const customers = appCommand("customers", "the customers")
    .description(
      "Write all customers to a file that `tillkit import customers` reads. Only the owner can read the file. It contains keyed hashes instead of phone numbers, so only a host with the same key file can use it.",
    )
    .addHelpText("after", examples("tillkit export customers customers.jsonl"))
    .action((file, { app: appId, ...options }) =>
      report(
        options,
        exported(
          io,
          options,
          { file, records: "customers", lineOf: customerLine, appId },
          ({ sessions }) =>
            (after) =>
              sessions.listCustomers({ appId, after, limit: PAGE }),
        ),
      ),
    );

  return groupCommand("export")
    .description("Write records to files. `tillkit import` reads those of orders, services and customers.")
    .addCommand(orders)
    .addCommand(refunds)
    .addCommand(settlements)
    .addCommand(services)
    .addCommand(customers);
}

/** Creates a command that exports `what`, of one app or of all. */
function appCommand(name: string, what: string) {
  return changingCommand(name)
    .argument(...EXPORT_FILE_ARGUMENT)
    .option("--app <app-id>", `export only ${what} of this app`);
}

/**
 * Creates a command like {@link appCommand} with a range of days. `dated` completes its help texts.
 */
function rangeCommand(name: string, what: string, dated: string) {
  return appCommand(name, what)
    .option("--from <day>", `export only ${dated} this day in China or later`, dayOf)
    .option("--until <day>", `export only ${dated} this day in China or earlier`, dayOf);
}

/** The records to export, and the file to write. */
interface Export<T> {
  readonly file: string;
  readonly records: "orders" | "refunds" | "settlements" | "services" | "customers";
  readonly lineOf: (record: T) => string;
  readonly appId: string | undefined;
}

function exported<T>(
  io: Io,
  options: KeyedOptions & AuditOptions,
  { file, records, lineOf, appId }: Export<T>,
  pagesOf: (stores: Stores) => NextPage<T>,
): ResultAsync<CommandResult, CliFailure> {
  const facts = { action: `${records}.export`, subject: records } as const;
  return commandOf(io, options).asyncAndThen((by) =>
    withPorts(io, options, (ports, database, keyring) =>
      auditedCommand(ports, by, appId === undefined ? facts : { ...facts, appId }, () =>
        withSnapshot(database, keyring, (stores, whole) => {
          const next = pagesOf(stores);
          return exportTo(io, file, records, lineOf, (after) => next(after).andThen(whole));
        }),
      ),
    ),
  );
}
