import { Argument, Option } from "@commander-js/extra-typings";
import { parseInput } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import {
  type AccountWithPassword,
  createOperator,
  createOperatorInput,
  type OperatorAccountFailure,
  operatorRoleInput,
  resetOperator,
  setOperatorDisabled,
  setOperatorRole,
} from "@tillkit/core/operators";
import { OPERATOR_ROLES, type OperatorAccount } from "@tillkit/core/ports";
import { scryptHasher } from "@tillkit/runtime";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import { type CommandResult, table, timeText } from "../answer.js";
import { commandOf } from "../audit.js";
import { inAnyCase } from "../case-insensitive-choice.js";
import type { Context } from "../context.js";
import { type CliFailure, coreFailure, failure, usage } from "../failure.js";
import type { Io } from "../io.js";
import { withPorts } from "../ports.js";
import { readText } from "../read-text.js";
import { changingCommand, CSV_OPTION, examples, groupCommand, keyedCommand } from "../settings.js";

const TITLES = ["NAME", "ROLE", "APPS", "STATE", "SECOND FACTOR", "CREATED"];

const ROLES_HELP = `
Roles, each with the rights of the ones before:
  viewer   reads orders, refunds, bills and downloads
  support  queries and closes orders, refunds up to a limit
  finance  refunds any amount, approves refunds, resolves bill exceptions, reads the audit log
  admin    sets up apps, pay tools, service types and operators`;

const APP_OPTION = [
  "--app <app-id>",
  "an app that the operator sees; repeat the option for several apps",
] as const;

function accountCommand(name: string) {
  return changingCommand(name).argument("<name>", "the operator's name");
}

/** Creates `tillkit operators`, which manages the accounts of operators of the dashboard. */
export function operatorsCommand({ io, report }: Context) {
  const { passwords = scryptHasher() } = io;

  const create = accountCommand("create")
    .description(
      "Create the account of an operator. Without --password-stdin, the command generates a password and prints it once, and the operator must choose another one after the first sign-in.",
    )
    .addOption(
      new Option("--role <role>", "what the operator may do")
        .choices(OPERATOR_ROLES)
        .argParser(inAnyCase(OPERATOR_ROLES))
        .makeOptionMandatory(),
    )
    .option(APP_OPTION[0], `${APP_OPTION[1]} (default: every app)`, added, [])
    .option("--password-stdin", "use the password on standard input, 12 to 128 characters")
    .addHelpText("after", ROLES_HELP)
    .addHelpText(
      "after",
      examples(
        'tillkit operators create li --role support --reason "joined the team"',
        "tillkit operators create wu --role viewer --app app_1 --app app_2",
        "pass show han | tillkit operators create han --role admin --password-stdin",
      ),
    )
    .action((name, { role, app: apps, passwordStdin, ...options }) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          passwordOf(io, passwordStdin)
            .andThen((password) =>
              parseInput(createOperatorInput(), {
                name,
                role,
                password,
                ...(apps.length === 0 ? {} : { apps }),
              }).mapErr(coreFailure),
            )
            .andThen((input) =>
              withPorts(io, options, (ports) =>
                createOperator({ ...ports, passwords }, input, by)
                  .mapErr(accountFailure)
                  .map((created) => passwordAnswer(created, "is created")),
              ),
            ),
        ),
      ),
    );

  const list = keyedCommand("list")
    .description("List the accounts of all operators.")
    .option(...CSV_OPTION)
    .addHelpText("after", examples("tillkit operators list"))
    .action((options) =>
      report(
        options,
        withPorts(io, options, ({ operators }) =>
          operators
            .list()
            .mapErr(coreFailure)
            .map((accounts) => ({
              data: { operators: accounts.map(accountData) },
              text: table(TITLES, accounts.map(rowOf)),
            })),
        ),
      ),
    );

  const setDisabled = (command: "disable" | "enable", description: string) =>
    accountCommand(command)
      .description(description)
      .addHelpText("after", examples(`tillkit operators ${command} li`))
      .action((name, options) =>
        report(
          options,
          commandOf(io, options).asyncAndThen((by) =>
            withPorts(io, options, (ports) =>
              setOperatorDisabled(ports, name, command === "disable", by)
                .mapErr(accountFailure)
                .map((account) => accountAnswer(account, `is ${command}d`)),
            ),
          ),
        ),
      );

  const reset = accountCommand("reset")
    .description(
      "Give an operator a generated password, print it once, and remove the second factor. For an operator who lost the password or the phone. All sessions of the operator end.",
    )
    .addHelpText("after", examples('tillkit operators reset li --reason "lost the phone"'))
    .action((name, options) =>
      report(
        options,
        commandOf(io, options).asyncAndThen((by) =>
          withPorts(io, options, (ports) =>
            resetOperator({ ...ports, passwords }, name, by)
              .mapErr(accountFailure)
              .map((changed) => passwordAnswer(changed, "has a new password and no second factor")),
          ),
        ),
      ),
    );

  const role = accountCommand("role")
    .description("Replace the role and the apps of an operator. Takes effect at the operator's next request.")
    .addArgument(
      new Argument("<role>", "what the operator may do")
        .choices(OPERATOR_ROLES)
        .argParser(inAnyCase(OPERATOR_ROLES)),
    )
    .option(APP_OPTION[0], `${APP_OPTION[1]}; required without --all-apps`, added, [])
    .option("--all-apps", "the operator sees every app")
    .addHelpText("after", ROLES_HELP)
    .addHelpText(
      "after",
      examples(
        "tillkit operators role li finance --all-apps",
        "tillkit operators role wu viewer --app app_1",
      ),
    )
    .action((name, newRole, { app: apps, allApps, ...options }) =>
      report(
        options,
        commandOf(io, options)
          .andThen((by) =>
            parseInput(operatorRoleInput(), { name, role: newRole, ...(allApps === true ? {} : { apps }) })
              .mapErr(coreFailure)
              .map((input) => ({ by, input })),
          )
          .asyncAndThen((asked) =>
            // An option that somebody forgot must not let the operator see every app.
            (allApps === true) === apps.length > 0
              ? errAsync(usage("Set the apps that the operator sees: either --app, or --all-apps."))
              : okAsync(asked),
          )
          .andThen(({ by, input }) =>
            withPorts(io, options, (ports) =>
              setOperatorRole(ports, input, by)
                .mapErr(accountFailure)
                .map((account) => accountAnswer(account, `has the role ${account.role}`)),
            ),
          ),
      ),
    );

  return groupCommand("operators")
    .description("Manage the accounts of the operators who use the dashboard.")
    .addCommand(create)
    .addCommand(list)
    .addCommand(
      setDisabled("disable", "Disable the account of an operator. All sessions of the operator end."),
    )
    .addCommand(
      setDisabled("enable", "Enable a disabled account. Its password and second factor stay the same."),
    )
    .addCommand(reset)
    .addCommand(role);
}

function added(app: string, apps: readonly string[]): readonly string[] {
  return [...apps, app];
}

function passwordOf(
  io: Pick<Io, "stdin">,
  stdin: true | undefined,
): ResultAsync<string | undefined, CliFailure> {
  if (stdin === undefined) return okAsync(undefined);
  // The line end is not part of the password. An empty input must not mean a generated password.
  return readText(io, "-").andThen((text) => {
    const password = text.replace(/\r?\n$/, "");
    return password === "" ? errAsync(usage("Standard input contains no password.")) : okAsync(password);
  });
}

function accountFailure(
  problem:
    OperatorAccountFailure<"operator.unknown" | "operator.exists" | "operator.last-admin"> | StorageFailure,
): CliFailure {
  switch (problem.name) {
    case "operator.unknown":
      return failure(
        "refused",
        problem.name,
        "There is no operator with this name. `tillkit operators list` lists all operators.",
      );
    case "operator.exists":
      return failure(
        "refused",
        problem.name,
        "An operator with this name exists already, and nothing was changed. `tillkit operators reset` gives an operator a new password.",
      );
    case "operator.last-admin":
      return failure(
        "refused",
        problem.name,
        "This is the last active admin of every app, and nothing was changed. Make another operator an admin first.",
      );
    case "storage.unavailable":
    case "storage.misconfigured":
      return coreFailure(problem);
  }
}

function passwordAnswer({ account, password }: AccountWithPassword, what: string): CommandResult {
  const done = `The operator ${account.name} ${what}.`;
  return {
    data: { operator: accountData(account), ...(password === undefined ? {} : { password }) },
    text:
      password === undefined
        ? done
        : `${done}\n\nPASSWORD  ${password}\n\nKeep the password now: only its hash is stored. The operator must choose another one after the next sign-in.`,
  };
}

function accountAnswer(account: OperatorAccount, what: string): CommandResult {
  return {
    data: { operator: accountData(account) },
    text: `The operator ${account.name} ${what}.`,
  };
}

/** Returns an account without its password hash and the key of its second factor. */
function accountData(account: OperatorAccount) {
  const { name, role, apps, disabled, mustChangePassword, totpSecret, gmtCreate, gmtModified } = account;
  return {
    name,
    role,
    ...(apps === undefined ? {} : { apps }),
    disabled,
    mustChangePassword,
    secondFactor: totpSecret !== undefined,
    gmtCreate,
    gmtModified,
  };
}

function rowOf({ name, role, apps, disabled, totpSecret, gmtCreate }: OperatorAccount): readonly string[] {
  return [
    name,
    role,
    apps === undefined ? "all" : apps.join(","),
    disabled ? "disabled" : "enabled",
    totpSecret === undefined ? "no" : "yes",
    timeText(gmtCreate),
  ];
}
