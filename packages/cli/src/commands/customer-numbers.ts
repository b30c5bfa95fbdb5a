import type { Failure } from "@tillkit/core/errors";
import {
  type ChangedNumbers,
  detachNumber,
  mergeCustomers,
  moveNumber,
  type NumberFailure,
  type OperatorCommand,
} from "@tillkit/core/operators";
import { okAsync, type ResultAsync } from "neverthrow";
import type { CommandResult } from "../answer.js";
import { type AuditOptions, commandOf } from "../audit.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure } from "../failure.js";
import type { Io } from "../io.js";
import { type CommandPorts, type KeyedOptions, withPorts } from "../ports.js";
import { readText } from "../read-text.js";
import { changingCommand, examples } from "../settings.js";

const APP = ["--app <app-id>", "the app of the customer"] as const;
const STDIN = "or - for standard input: other users of this machine can see an argument";

type Change = (
  ports: CommandPorts,
  by: OperatorCommand,
) => ResultAsync<ChangedNumbers, Failure | NumberFailure>;

/** Creates `tillkit customers detach`. */
export function detachCommand({ io, report }: Pick<Context, "io" | "report">) {
  return changingCommand("detach")
    .description(
      "Take a phone number from its customer, because it now belongs to another person. The next login with this number starts a new customer. All sessions of the customer end. Orders and services stay with the customer.",
    )
    .requiredOption(...APP)
    .requiredOption("--phone <number>", `the phone number, ${STDIN}`)
    .addHelpText("after", examples("echo 13800138000 | tillkit customers detach --app app_1 --phone -"))
    .action(({ app, phone, ...options }) =>
      report(
        options,
        numberOf(io, phone).andThen((mobileNo) =>
          changed(io, options, (ports, by) => detachNumber(ports, app, { mobileNo }, by)),
        ),
      ),
    );
}

/** Creates `tillkit customers move`. */
export function moveCommand({ io, report }: Pick<Context, "io" | "report">) {
  return changingCommand("move")
    .description(
      "Give a customer a new phone number in place of the old one. All sessions of the customer end: the customer logs in with the new number.",
    )
    .requiredOption(...APP)
    .requiredOption("--from <number>", `the old phone number, ${STDIN}`)
    .requiredOption("--to <number>", "the new phone number")
    .addHelpText(
      "after",
      examples("tillkit customers move --app app_1 --from 13800138000 --to 13900139000 --operator kim"),
    )
    .action(({ app, from, to, ...options }) =>
      report(
        options,
        numberOf(io, from).andThen((old) =>
          changed(io, options, (ports, by) => moveNumber(ports, app, { from: old, to }, by)),
        ),
      ),
    );
}

/** Creates `tillkit customers merge`. */
export function mergeCommand({ io, report }: Pick<Context, "io" | "report">) {
  return changingCommand("merge")
    .description(
      "Give the phone numbers of one customer to another one, for a person with two customers. All sessions of the first customer end. Orders and services stay with the customer who bought them: export or erase both customers.",
    )
    .requiredOption(...APP)
    .requiredOption("--from <id>", "the customerId that loses its phone numbers")
    .requiredOption("--into <id>", "the customerId that gets the phone numbers")
    .addHelpText(
      "after",
      examples("tillkit customers merge --app app_1 --from cus_2 --into cus_1 --operator kim"),
    )
    .action(({ app, from, into, ...options }) =>
      report(
        options,
        changed(io, options, (ports, by) => mergeCustomers(ports, app, { from, into }, by)),
      ),
    );
}

function changed(
  io: Io,
  options: KeyedOptions & AuditOptions,
  change: Change,
): ResultAsync<CommandResult, CliFailure> {
  return commandOf(io, options).asyncAndThen((by) =>
    withPorts(io, options, (ports) =>
      change(ports, by)
        .mapErr(coreFailure)
        .map(({ customerId, sessions }) => ({
          data: { customerId, sessions },
          text: `Changed. Customer: ${customerId}. Ended sessions: ${sessions}.`,
        })),
    ),
  );
}

/** Returns the phone number of an argument. Reads it from standard input for `-`. */
export function numberOf(io: Pick<Io, "stdin">, given: string): ResultAsync<string, CliFailure> {
  return given === "-" ? readText(io, "-").map((input) => input.trim()) : okAsync(given);
}
