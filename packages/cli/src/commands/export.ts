import { customerLine, orderLine, serviceLine } from "@tillkit/core";
import type { ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import { auditedCommand, type AuditOptions, commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { EXPORT_FILE_ARGUMENT, exportTo, type NextPage } from "../export-file.js";
import type { CliFailure } from "../failure.js";
import type { Io } from "../io.js";
import { type CommandPorts, type KeyedOptions, withPorts } from "../ports.js";
import { changingCommand, examples, groupCommand } from "../settings.js";

const PAGE = 500;

/** Creates `tillkit export`, which writes the files that `tillkit import` reads. */
export function exportCommand({ io, report }: Context) {
  const orders = changingCommand("orders")
    .description(
      "Write all orders to a file that `tillkit import orders` reads, sorted by bizNo and app. Only the owner can read the file. It contains no credentials, no customer ids of the wallets, no timelines and no single refunds.",
    )
    .argument(...EXPORT_FILE_ARGUMENT)
    .option("--app <app-id>", "export only the orders of this app")
    .addHelpText(
      "after",
      examples("tillkit export orders orders.jsonl", "tillkit export orders notes.jsonl --app app_1"),
    )
    .action((file, { app: appId, ...options }) =>
      report(
        options,
        exported(
          io,
          options,
          { file, records: "orders", lineOf: orderLine, appId },
          ({ orders }) =>
            (after) =>
              orders.listAll({ appId, after, limit: PAGE }),
        ),
      ),
    );

  const services = changingCommand("services")
    .description(
      "Write the timed services of all customers to a file that `tillkit import services` reads. Only the owner can read the file.",
    )
    .argument(...EXPORT_FILE_ARGUMENT)
    .option("--app <app-id>", "export only the services of this app")
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

  const customers = changingCommand("customers")
    .description(
      "Write all customers to a file that `tillkit import customers` reads. Only the owner can read the file. It contains keyed hashes instead of phone numbers, so only a host with the same key file can use it.",
    )
    .argument(...EXPORT_FILE_ARGUMENT)
    .option("--app <app-id>", "export only the customers of this app")
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
    .description("Write records to files that `tillkit import` reads.")
    .addCommand(orders)
    .addCommand(services)
    .addCommand(customers);
}

/** What is written to which file. */
interface Export<T> {
  readonly file: string;
  readonly records: "orders" | "services" | "customers";
  readonly lineOf: (record: T) => string;
  readonly appId: string | undefined;
}

function exported<T>(
  io: Io,
  options: KeyedOptions & AuditOptions,
  { file, records, lineOf, appId }: Export<T>,
  pagesOf: (ports: CommandPorts) => NextPage<T>,
): ResultAsync<CommandResult, CliFailure> {
  const facts = { action: `${records}.export`, subject: records } as const;
  return commandOf(io, options).asyncAndThen((by) =>
    withPorts(io, options, (ports) =>
      auditedCommand(ports, by, appId === undefined ? facts : { ...facts, appId }, () =>
        exportTo(io, file, records, lineOf, pagesOf(ports)),
      ),
    ),
  );
}
