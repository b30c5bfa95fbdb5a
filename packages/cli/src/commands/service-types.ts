import { createServiceType, type ServiceType } from "@tillkit/core";
import type { Failure } from "@tillkit/core/errors";
import {
  type OperatorCommand,
  renameServiceType,
  restoreServiceType,
  retireServiceType,
} from "@tillkit/core/operators";
import type { ResultAsync } from "neverthrow";
import { type CommandResult, table, timeText } from "../answer.js";
import { type AuditOptions, commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { coreFailure } from "../failure.js";
import { wholeNumberTo } from "../numbers.js";
import { type CommandPorts, type KeyedOptions, withPorts } from "../ports.js";
import { changingCommand, CSV_OPTION, examples, groupCommand, keyedCommand } from "../settings.js";

const DAY = 86_400_000;
const TITLES = ["NUMBER", "NAME", "DAYS", "RETIRED"];

interface ChangingOptions extends KeyedOptions, AuditOptions {
  readonly json?: true | undefined;
}

/** A change of one service type by an operator. */
type Change = (ports: CommandPorts, by: OperatorCommand) => ResultAsync<ServiceType, Failure>;

/** Creates `tillkit service-types`, which manages the timed services that orders can buy. */
export function serviceTypesCommand({ io, report }: Context) {
  const create = changingCommand("create")
    .description("Register a timed service. A retry with the same --number returns the existing service.")
    .requiredOption("--app <app-id>", "the app that sells the service")
    .requiredOption("--name <name>", "the service's name, 1 to 64 characters")
    .requiredOption("--days <days>", "how many days one paid order adds", wholeNumberTo(36_525))
    .option("--number <number>", "the serviceTypeNo (default: a generated number)")
    .addHelpText(
      "after",
      examples('tillkit service-types create --app app_1 --name "Premium month" --days 30'),
    )
    .action(({ app, name, days, number, ...options }) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          withPorts(io, options, (ports) => {
            const input = {
              serviceName: name,
              durationMs: days * DAY,
              ...(number === undefined ? {} : { serviceTypeNo: number }),
            };
            return createServiceType(ports, app, input, by).mapErr(coreFailure).map(answerOf);
          }),
        ),
      ),
    );

  const list = keyedCommand("list")
    .description("List an app's timed services.")
    .requiredOption("--app <app-id>", "the app")
    .option(...CSV_OPTION)
    .addHelpText("after", examples("tillkit service-types list --app app_1"))
    .action(({ app, ...options }) =>
      report(
        options,
        withPorts(io, options, (ports) =>
          ports.serviceTypes
            .list(app)
            .mapErr(coreFailure)
            .map((serviceTypes) => ({
              data: { serviceTypes },
              text: table(TITLES, serviceTypes.map(rowOf)),
            })),
        ),
      ),
    );

  const changing = (name: string, description: string, example: string) =>
    changingCommand(name)
      .description(description)
      .argument("<number>", "the serviceTypeNo")
      .requiredOption("--app <app-id>", "the app that sells the service")
      .addHelpText("after", examples(`tillkit service-types ${name} membership-30 --app app_1${example}`));
  const changed = (options: ChangingOptions, change: Change) =>
    report(
      options,
      commandOf(io, options).asyncAndThen((by) =>
        withPorts(io, options, (ports) => change(ports, by).mapErr(coreFailure).map(answerOf)),
      ),
    );

  const rename = changing(
    "rename",
    "Change the name of a timed service. Existing orders and customers' services keep their name.",
    ' --name "Premium month"',
  )
    .requiredOption("--name <name>", "the new name, 1 to 64 characters")
    .action((number, { app, name, ...options }) =>
      changed(options, (ports, by) => renameServiceType(ports, app, number, name, by)),
    );

  const retire = changing(
    "retire",
    "Stop the sale of a timed service: new orders that name it fail. Open orders and customers' services continue.",
    "",
  ).action((number, { app, ...options }) =>
    changed(options, (ports, by) => retireServiceType(ports, app, number, by)),
  );

  const restore = changing("restore", "Sell a retired timed service again.", "").action(
    (number, { app, ...options }) =>
      changed(options, (ports, by) => restoreServiceType(ports, app, number, by)),
  );

  return groupCommand("service-types")
    .description("Manage the timed services that customers buy with orders.")
    .addCommand(create)
    .addCommand(list)
    .addCommand(rename)
    .addCommand(retire)
    .addCommand(restore);
}

function answerOf(serviceType: ServiceType): CommandResult {
  return { data: { serviceType }, text: table(TITLES, [rowOf(serviceType)]) };
}

function rowOf({ serviceTypeNo, serviceName, durationMs, retiredAt }: ServiceType): readonly string[] {
  return [serviceTypeNo, serviceName, String(durationMs / DAY), timeText(retiredAt)];
}
