import { createServiceType, type ServiceType } from "@tillkit/core";
import { table } from "../answer.js";
import { commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { coreFailure } from "../failure.js";
import { wholeNumberTo } from "../numbers.js";
import { withPorts } from "../ports.js";
import { changingCommand, examples, groupCommand, keyedCommand } from "../settings.js";

const DAY = 86_400_000;
const TITLES = ["NUMBER", "NAME", "DAYS"];

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
            return createServiceType(ports, app, input, by)
              .mapErr(coreFailure)
              .map((serviceType) => ({ data: { serviceType }, text: table(TITLES, [rowOf(serviceType)]) }));
          }),
        ),
      ),
    );

  const list = keyedCommand("list")
    .description("List an app's timed services.")
    .requiredOption("--app <app-id>", "the app")
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

  return groupCommand("service-types")
    .description("Manage the timed services that customers buy with orders.")
    .addCommand(create)
    .addCommand(list);
}

function rowOf({ serviceTypeNo, serviceName, durationMs }: ServiceType): readonly string[] {
  return [serviceTypeNo, serviceName, String(durationMs / DAY)];
}
