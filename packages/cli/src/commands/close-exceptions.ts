import { parseInput } from "@tillkit/core";
import {
  adoptBillException,
  type AdoptBillExceptionFailure,
  assignBillException,
  assignBillExceptionInput,
  disownBillException,
  resolveBillException,
  resolveBillExceptionInput,
} from "@tillkit/core/operators";
import { okAsync, Result, type ResultAsync } from "neverthrow";
import { postgresBillExceptionStore } from "@tillkit/postgres";
import { auditedCommand, FROM_CLI } from "../audit.js";
import type { ShownException } from "../bill-answer.js";
import type { CommandResult } from "../answer.js";
import type { Context } from "../context.js";
import { withDatabase } from "../database.js";
import { type CliFailure, coreFailure, failure, UNKNOWN_HELP } from "../failure.js";
import { parseWithPolicy, type WalletPorts, withOrderWallet, withPorts } from "../ports.js";
import { SERVER_OPTION } from "../server/address.js";
import { changeException } from "../server/bills.js";
import { changeAtSource } from "../server/open-server.js";
import {
  databaseCommand,
  examples,
  keyedCommand,
  requiredOperator,
  sessionOperatorOption,
  walletCommand,
} from "../settings.js";

const ID = "5f0c1a9be2d34a7788aa01cd";
const OPERATOR = "the operator's name, stored with the exception";
const NOTE = ["--note <text>", "what the operator did or found, stored with the exception"] as const;

/** The commands that close an exception with a note. */
const CLOSING = {
  resolve: {
    close: resolveBillException,
    description:
      "Close exceptions that an operator has handled, one after the other. The command moves no money and changes no order. An exception stays closed in later runs, unless its amounts change.",
    note: "refunded at the wallet",
  },
  "not-ours": {
    close: disownBillException,
    description:
      "Close exceptions whose payment or refund belongs to no order of Tillkit, for example of another shop with the same merchant account. Only for a number that no order has. The command moves no money.",
    note: "of the shop in the mall",
  },
} as const;

/** Creates `tillkit bills resolve` and `tillkit bills not-ours`. */
export function closeExceptionCommand({ io, report }: Context, name: keyof typeof CLOSING) {
  const { close, description, note: example } = CLOSING[name];
  return databaseCommand(name)
    .description(description)
    .argument("<ids...>", "the ids of the exceptions")
    .addOption(sessionOperatorOption(io, OPERATOR))
    .option(...SERVER_OPTION)
    .requiredOption(...NOTE)
    .addHelpText(
      "after",
      examples(
        `tillkit bills ${name} ${ID} --operator kim --note "${example}"`,
        `tillkit bills ${name} ${ID} 7b1e0d44c6f24f0f9c1d22ab --operator kim --note "${example}"`,
      ),
    )
    .action((ids, { operator: named, note, ...options }) =>
      report(
        options,
        changeAtSource(
          io,
          { ...options, operator: named },
          {
            database: () =>
              requiredOperator(named)
                .andThen((operator) =>
                  Result.combine(
                    ids.map((id) =>
                      parseInput(resolveBillExceptionInput(), { id, operator, note }).mapErr(coreFailure),
                    ),
                  ),
                )
                .asyncAndThen((inputs) =>
                  withDatabase(io, options, ({ sql, schema }) => {
                    const ports = {
                      billExceptions: postgresBillExceptionStore(sql, schema),
                      clock: io.clock,
                    };
                    return oneByOne(inputs, (input) => close(ports, input, FROM_CLI).mapErr(closeFailure));
                  }),
                ),
            server: (server) =>
              oneByOne(
                ids.map((id) => ({ id })),
                ({ id }) => changeException(server, id, name, { note }),
              ),
          },
        ).map((exceptions) => ({ data: { exceptions }, text: exceptions.map(closedText).join("\n") })),
      ),
    );
}

/** Closes exceptions one after the other. A failure names those that were closed before. */
function oneByOne<T extends { readonly id: string }>(
  inputs: readonly T[],
  close: (input: T) => ResultAsync<ShownException, CliFailure>,
): ResultAsync<readonly ShownException[], CliFailure> {
  const none: ResultAsync<readonly ShownException[], CliFailure> = okAsync([]);
  return inputs.reduce(
    (closed, input) =>
      closed.andThen((earlier) =>
        close(input)
          .mapErr((failed) => failureAfter(earlier, input, failed))
          .map((one) => [...earlier, one]),
      ),
    none,
  );
}

/** Creates `tillkit bills assign`, which names the order of a payment or refund. */
export function assignExceptionCommand({ io, report }: Context) {
  return keyedCommand("assign")
    .description(
      "Record that the payment or refund of an exception belongs to an order, for example one that the customer paid with the QR code of the shop. Only for a number that no order has. The command moves no money and changes no status: the timeline of the order gets the amount and the note.",
    )
    .argument("<id>", "the exception's id")
    .argument("<biz-no>", "the order's bizNo")
    .requiredOption("--app <app-id>", "the order's app")
    .addOption(sessionOperatorOption(io, OPERATOR))
    .option(...SERVER_OPTION)
    .requiredOption(...NOTE)
    .addHelpText(
      "after",
      examples(`tillkit bills assign ${ID} order-1001 --app app_1 --operator kim --note "paid at the till"`),
    )
    .action((id, bizNo, { app: appId, operator: named, note, ...options }) =>
      report(
        options,
        changeAtSource(
          io,
          { ...options, operator: named },
          {
            database: () =>
              requiredOperator(named).asyncAndThen((operator) =>
                parseWithPolicy(io, options, assignBillExceptionInput, {
                  id,
                  appId,
                  bizNo,
                  operator,
                  note,
                }).andThen((input) =>
                  withPorts(io, options, (ports) =>
                    assignBillException(ports, input, FROM_CLI).mapErr(closeFailure),
                  ),
                ),
              ),
            server: (server) => changeException(server, id, "assign", { appId, bizNo, note }),
          },
        ).map(closedAnswer),
      ),
    );
}

/** Creates `tillkit bills adopt`, which asks the wallet about one exception. */
export function adoptExceptionCommand({ io, report }: Context) {
  return walletCommand("adopt")
    .description(
      `Ask the wallet about the payment or refund of an exception, and record what the wallet signs for the order with this number. The command moves no money. ${UNKNOWN_HELP}`,
    )
    .argument("<id>", "the exception's id")
    .addOption(sessionOperatorOption(io, OPERATOR))
    .option(...SERVER_OPTION)
    .requiredOption(...NOTE)
    .addHelpText(
      "after",
      examples(`tillkit bills adopt ${ID} --operator kim --note "refunded in the merchant platform"`),
    )
    .action((id, { operator: named, note, ...options }) =>
      report(
        options,
        changeAtSource(
          io,
          { ...options, operator: named },
          {
            database: () =>
              requiredOperator(named)
                .andThen((operator) =>
                  parseInput(resolveBillExceptionInput(), { id, operator, note }).mapErr(coreFailure),
                )
                .asyncAndThen((input) =>
                  withOrderWallet(io, options, orderOf(id), (ports) =>
                    auditedCommand(
                      ports,
                      { operator: input.operator, reason: note, ...FROM_CLI },
                      { action: "bill-exception.adopt", subject: `bill-exception:${id}` },
                      () => adoptBillException(ports, input).mapErr(closeFailure),
                    ),
                  ),
                ),
            server: (server) => changeException(server, id, "adopt", { note }),
          },
        ).map(closedAnswer),
      ),
    );
}

/** Returns the order of an exception, or `undefined` if the exception names none. */
function orderOf(id: string) {
  return (ports: WalletPorts) =>
    ports.billExceptions
      .find(id)
      .map((exception) => exception?.order)
      .mapErr(coreFailure);
}

function closedAnswer(exception: ShownException): CommandResult {
  return { data: { exception }, text: closedText(exception) };
}

function closedText({ id, kind, state, order, remedy }: ShownException): string {
  const belongs = remedy === "assign" && order !== undefined ? ` It belongs to ${order.bizNo}.` : "";
  return `The exception ${id} (${kind}) is ${state}.${belongs}`;
}

/** Names the exceptions that were closed before one of several failed, because they stay closed. */
function failureAfter(
  closed: readonly ShownException[],
  { id }: { readonly id: string },
  failed: CliFailure,
): CliFailure {
  if (closed.length === 0) return failed;
  const ids = closed.map((one) => one.id).join(", ");
  return { ...failed, message: `Closed, and stays: ${ids}. Failed: ${id}. ${failed.message}` };
}

function closeFailure(problem: AdoptBillExceptionFailure): CliFailure {
  switch (problem.name) {
    case "bill-exception.not-found":
      return failure(
        "refused",
        problem.name,
        "There is no exception with this id. `tillkit bills exceptions` lists the exceptions.",
      );
    case "bill-exception.not-open":
      return failure(
        "refused",
        problem.name,
        `The exception is not open: its state is ${problem.exception.state}.`,
      );
    case "bill-exception.not-offered":
      return failure(
        "refused",
        problem.name,
        "The exception cannot be closed in this way. `tillkit bills exceptions` lists what can be done about each exception.",
      );
    case "bill-exception.not-confirmed":
      return failure(
        "refused",
        problem.name,
        "The wallet does not confirm what its bill lists. Nothing was changed.",
      );
    default:
      return coreFailure(problem);
  }
}
