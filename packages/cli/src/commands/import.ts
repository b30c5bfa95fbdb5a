import {
  importCustomers,
  importedCustomerInput,
  importedOrderInput,
  importedServiceInput,
  importOrders,
  type ImportOptions,
  importServices,
  type Policy,
} from "@tillkit/core";
import type { ResultAsync } from "neverthrow";
import type { z } from "zod";
import type { CommandResult } from "../answer.js";
import { auditedCommand, type AuditOptions, commandOf } from "../audit.js";
import type { Context } from "../context.js";
import type { CliFailure } from "../failure.js";
import { importRecords, type RecordImport } from "../import-records.js";
import { openTextInput } from "../input-file.js";
import type { Io } from "../io.js";
import { jsonLines } from "../json-lines.js";
import { type CommandPorts, type KeyedOptions, withPorts } from "../ports.js";
import { ERRORS_OPTION } from "../problem-report.js";
import { importProgress } from "../progress.js";
import {
  AUDIT_OPTIONS,
  changingCommand,
  examples,
  groupCommand,
  keyedCommand,
  operatorOption,
} from "../settings.js";

const FILE_ARGUMENT = ["<file>", "the JSON Lines file, - for standard input"] as const;
const REPLACE = [
  "--replace-untouched",
  "let a line replace a stored record with other values, if nothing but imports happened to the record",
] as const;
const DRY_RUN = ["--dry-run", "check every line and import nothing"] as const;
const RULES =
  "Importing a file again changes nothing, and several imports may run at the same time. The command imports all valid lines. It prints the number and the problem of the first 20 wrong lines, writes all of them to a file if there are more, and then exits with 1.";

const TIMES_HELP =
  "A time is from October 2003 until now. A time in seconds or microseconds is a wrong line.";

const ORDERS_HELP = `
The file has one JSON object per line. Amounts are cents, times are epoch milliseconds:
  appId, bizNo, customerIdentity, amount, goodsTitle   as in POST /order.json; the app must exist
  id               the order's number at the wallet (out_trade_no), unique: letters, digits, -, _, * and |
  payChannel       WALLET_A or WALLET_B
  paymentStatus    PENDING, PAID, CLOSE or REFUND
  gmtCreate, gmtModified   when the order was created and changed; gmtModified is not before gmtCreate
  pmtDt            when the customer paid, from gmtCreate to gmtModified; for PAID and REFUND only
  refundedAmount   0 for PENDING and CLOSE, less than amount for PAID, 1 to amount for REFUND; default 0
  customerName, paySource (default APP), attachData (text), sourceFrom, walletTradeNo   optional
${TIMES_HELP}`;

const SERVICES_HELP = `
The file has one JSON object per line, with every member below. Times are epoch milliseconds:
  appId, customerIdentity      the customer who has the service; the app must exist
  serviceTypeNo, serviceNo     the number of the service type, and of this customer's service
  serviceName                  the name that customers read
  expireTime                   when the service ends: from gmtCreate to 100 years later, also after now
  gmtCreate                    when the service began
${TIMES_HELP}`;

const CUSTOMERS_HELP = `
The file has one JSON object per line. Times are epoch milliseconds:
  appId         the app must exist
  mobileNo      the phone number, in E.164 or in the national format of the policy's defaultCountry
  phoneHash     instead of mobileNo: the hash from an export that used the same key file
  customerId    1 to 64 letters, digits, - and _
  gmtCreate     when the customer logged in for the first time
${TIMES_HELP}`;

/** Creates `tillkit import`, which imports the records of another service. */
export function importCommand({ io, report }: Context) {
  const orders = keyedCommand("orders")
    .description(
      `Import orders of another service. ${RULES} Tillkit does not query a wallet about an imported order until the order is connected to a pay tool: by --connect, or by \`tillkit orders sync\`, \`close\` or \`refund\`.`,
    )
    .argument(...FILE_ARGUMENT)
    .addOption(operatorOption(io, "the operator's name, which the timeline of each order contains"))
    .option(...AUDIT_OPTIONS[1])
    .option(
      "--connect",
      "connect each order to the current pay tool of its app and channel, even if the order was imported before; hosts then query the wallets about PENDING orders, and compare the orders with the daily bills",
    )
    .option(...REPLACE)
    .option(...DRY_RUN)
    .option(...ERRORS_OPTION)
    .addHelpText("after", ORDERS_HELP)
    .addHelpText(
      "after",
      examples(
        "tillkit import orders orders.jsonl --operator kim --dry-run",
        "zcat orders.jsonl.gz | tillkit import orders - --operator kim",
      ),
    )
    .action((file, { operator, connect = false, ...options }) =>
      report(
        options,
        importFile(
          io,
          { ...options, operator },
          { file, records: "orders", schemaOf: importedOrderInput },
          (ports, shared) => (batch) => importOrders(ports, batch, { ...shared, operator, connect }),
        ),
      ),
    );

  const services = changingCommand("services")
    .description(
      `Import the timed services of another service's customers. ${RULES} Import services before Tillkit sells any, because an import does not change a stored service.`,
    )
    .argument(...FILE_ARGUMENT)
    .option(...REPLACE)
    .option(...DRY_RUN)
    .option(...ERRORS_OPTION)
    .addHelpText("after", SERVICES_HELP)
    .addHelpText("after", examples("tillkit import services services.jsonl --dry-run"))
    .action((file, options) =>
      report(
        options,
        importFile(
          io,
          options,
          { file, records: "services", schemaOf: importedServiceInput },
          (ports, shared) => (batch) => importServices(ports, batch, shared),
        ),
      ),
    );

  const customers = changingCommand("customers")
    .description(
      `Import customers who log in by phone, with their ids. ${RULES} Tillkit stores only a keyed hash of each phone number.`,
    )
    .argument(...FILE_ARGUMENT)
    .option(...DRY_RUN)
    .option(...ERRORS_OPTION)
    .addHelpText("after", CUSTOMERS_HELP)
    .addHelpText("after", examples("tillkit import customers customers.jsonl --dry-run"))
    .action((file, options) =>
      report(
        options,
        importFile(
          io,
          options,
          { file, records: "customers", schemaOf: importedCustomerInput },
          (ports, shared) => (batch) => importCustomers(ports, batch, shared),
        ),
      ),
    );

  return groupCommand("import")
    .description("Import the records of another service.")
    .addCommand(orders)
    .addCommand(services)
    .addCommand(customers);
}

/** The options that all imports have, as the user typed them. */
interface ImportFileOptions extends KeyedOptions, AuditOptions {
  readonly json?: true | undefined;
  readonly dryRun?: true | undefined;
  readonly errors?: string | undefined;
  readonly replaceUntouched?: true | undefined;
}

/** A file to import, and the kind of its records. */
interface RecordFile<S> {
  readonly file: string;
  readonly records: "orders" | "services" | "customers";
  readonly schemaOf: (policy: Policy) => S;
}

function importFile<S extends z.ZodObject>(
  io: Io,
  options: ImportFileOptions,
  { file, records, schemaOf }: RecordFile<S>,
  importOf: (ports: CommandPorts, shared: ImportOptions) => RecordImport<z.output<S>>["importBatch"],
): ResultAsync<CommandResult, CliFailure> {
  const { dryRun = false, errors, replaceUntouched = false } = options;
  return commandOf(io, options).asyncAndThen((by) =>
    withPorts(io, options, (ports) =>
      openTextInput(io, file).andThen((input) => {
        const shared = { dryRun, dryRunState: new Map<string, string>() };
        const importBatch = importOf(ports, replaceUntouched ? { ...shared, replaceUntouched: by } : shared);
        const run = () => {
          const progress = importProgress(io, input, { bar: options.json !== true, unit: "lines" });
          const batches = progress.over(jsonLines(input, schemaOf, ports.policy));
          return importRecords(progress, batches, { records, dryRun, errors, importBatch })
            .andTee(() => progress.stop())
            .orTee(() => progress.stop());
        };
        return dryRun
          ? run()
          : auditedCommand(ports, by, { action: `${records}.import`, subject: records }, run);
      }),
    ),
  );
}
