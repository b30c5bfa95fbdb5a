import {
  ALL_STORES,
  type AppExistsFailure,
  type DownloadsClientExistsFailure,
  type ServiceTypeExistsFailure,
  type UnknownAppFailure,
} from "@tillkit/core";
import {
  ERROR_CATALOG,
  type Failure,
  failureMessage,
  type FailureName,
  innerErrors,
  isError,
  isStorageFailure,
} from "@tillkit/core/errors";
import type {
  DownloadsClientEndedFailure,
  NumberFailure,
  UnknownDownloadsClient,
} from "@tillkit/core/operators";
import {
  type DaysInBothFailure,
  type InvalidCountFailure,
  MAX_DAYS_IN_BOTH,
  MAX_STORE_NAMES,
  MAX_UNKNOWN_STORES_LISTED,
  type ReadinessFailure,
  type ReservedStoreFailure,
  MAX_UNKNOWN_APPS_LISTED,
  type StoreExistsFailure,
  type TooManyStoresFailure,
  type UnknownStoresFailure,
} from "@tillkit/core/ports";
import { readinessFailureOf, type UnreadableRow, unreadableRowOf } from "@tillkit/postgres";
import { visibleLine } from "@tillkit/core/text";

/** The exit codes of the program. Scripts rely on the numbers. */
export const EXIT_CODES = {
  ok: 0,
  refused: 1,
  usage: 2,
  unavailable: 3,
  schema: 4,
  unknown: 5,
} as const;

/** What each exit code means and what to do. The help and the guide contain these texts. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT_CODES, string>> = {
  ok: "success",
  refused:
    "the command found a problem, or Tillkit does not allow the operation; a retry gives the same result",
  usage: "the command line, or a value in it, is wrong",
  unavailable: "the database, the server, a file or a wallet adapter is unavailable",
  schema: "this version does not support the schema, or the server of --server",
  unknown:
    "a wallet or the server gave no definite response: repeat the command later, a refund with the same --refund-no, and do not refund by other means",
};

/** The sentence about exit code 5 in the help of commands that call a wallet. */
export const UNKNOWN_HELP = `Exit code ${EXIT_CODES.unknown}: ${EXIT_MEANINGS.unknown}.`;

/** The name of the exit code of a failed command. */
export type ExitReason = Exclude<keyof typeof EXIT_CODES, "ok">;

/** Why a command failed. `message` contains what the operator can do, and no secret. */
export interface CliFailure {
  readonly exitReason: ExitReason;
  readonly name: string;
  readonly message: string;
  /** Whether the failure goes to standard error even with `--json`, after a part of an export. */
  readonly toStderr?: boolean;
}

/** Creates a failure of the program itself. */
export function failure(exitReason: ExitReason, name: string, message: string): CliFailure {
  return { exitReason, name, message };
}

/** Creates the failure for a wrong command line. */
export function usage(message: string): CliFailure {
  return failure("usage", "usage.invalid", message);
}

/**
 * Converts a core failure: its message for callers, followed by the advice of the error catalogue.
 */
export function coreFailure(
  problem:
    | Failure
    | AppExistsFailure
    | DownloadsClientEndedFailure
    | DownloadsClientExistsFailure
    | UnknownDownloadsClient
    | InvalidCountFailure
    | NumberFailure
    | ReservedStoreFailure
    | ServiceTypeExistsFailure
    | StoreFailure
    | UnknownAppFailure,
): CliFailure {
  if (problem.name === "app.unknown") return unknownAppFailure(problem);
  if (problem.name === "app.exists")
    return failure(
      "refused",
      problem.name,
      `The app ${problem.appId} exists already, and nothing was changed. \`tillkit apps list\` lists all apps.`,
    );
  if (problem.name === "service-type.exists")
    return failure(
      "refused",
      problem.name,
      `The service type ${problem.serviceTypeNo} exists already with other values, or is retired. Nothing was changed. Choose another --number. \`tillkit service-types list\` lists all types.`,
    );
  if (problem.name === "downloads-client.exists")
    return failure(
      "refused",
      problem.name,
      `The downloads client ${problem.clientId} exists already with other values, or was disabled or rotated. Nothing was changed. Choose another --id. \`tillkit clients list\` lists all clients.`,
    );
  if (problem.name === "downloads-client.unknown")
    return failure(
      "refused",
      problem.name,
      "There is no downloads client with this id. `tillkit clients list` lists all clients.",
    );
  if (problem.name === "downloads-client.ended")
    return failure(
      "refused",
      problem.name,
      `The downloads client ${problem.clientId} is disabled, or its id was replaced before. Enable it first: \`tillkit clients enable ${problem.clientId}\`.`,
    );
  if (problem.name === "store.reserved")
    return failure("usage", problem.name, `A store must not have the name ${ALL_STORES}: rename it.`);
  if (isStoreFailure(problem)) return storeFailure(problem);
  if (problem.name === "count.invalid") return failure("usage", problem.name, COUNT_RULES[problem.rule]);
  if (isNumberFailure(problem)) return failure("refused", problem.name, NUMBER_TEXTS[problem.name]);
  const { name } = problem;
  if (isStorageFailure(problem)) return storageFailure(problem);
  if (problem.name === "credentials.invalid")
    return failure(
      "refused",
      name,
      "The app does not exist or is disabled. `tillkit apps list` lists all apps.",
    );
  return catalogFailure(name, failureMessage(problem, "en"));
}

/** Creates the failure for a row of the error catalogue: its message, followed by its advice. */
export function catalogFailure(name: FailureName, message: string): CliFailure {
  const { advice, category, retryable } = ERROR_CATALOG[name];
  // `refund.in-progress` means that another refund is pending. If an operator repeats this refund
  // until it succeeds, the customer may be refunded twice.
  const waits = retryable && name !== "refund.in-progress";
  const exitReason = waits ? "unknown" : category === "Validation & Integration" ? "usage" : "refused";
  return failure(exitReason, name, `${message}. ${advice}`);
}

type StoreFailure = DaysInBothFailure | StoreExistsFailure | TooManyStoresFailure | UnknownStoresFailure;
const STORE_FAILURES: readonly string[] = [
  "store.days-in-both",
  "store.exists",
  "store.too-many",
  "store.unknown",
] satisfies readonly StoreFailure["name"][];

function isStoreFailure(problem: { readonly name: string }): problem is StoreFailure {
  return STORE_FAILURES.includes(problem.name);
}

function storeFailure(problem: StoreFailure): CliFailure {
  return failure("refused", problem.name, storeFailureText(problem));
}

function storeFailureText(problem: StoreFailure): string {
  switch (problem.name) {
    case "store.days-in-both":
      return problem.days > MAX_DAYS_IN_BOTH
        ? `Nothing was changed. Both stores have counts of more than ${MAX_DAYS_IN_BOTH} same days: delete days of one store first, with \`tillkit downloads delete\`.`
        : `Nothing was changed. Both stores have counts of ${problem.days} same days: use --sum to add them up, or --keep to keep those of the store that stays.`;
    case "store.exists":
      return `Nothing was changed. The name belongs to the store ${problem.store} already: choose another name, or use \`tillkit stores merge\`.`;
    case "store.too-many":
      return `Nothing was stored. There would be more than ${MAX_STORE_NAMES} names of stores: check that the column of the store is the right one.`;
    case "store.unknown":
      return unknownStoresText(problem);
  }
}

function unknownStoresText({ stores }: UnknownStoresFailure): string {
  const listed = stores.map(({ name, near }) =>
    near.length === 0 ? name : `${name} (similar: ${near.join(", ")})`,
  );
  const more = stores.length === MAX_UNKNOWN_STORES_LISTED ? " and possibly more" : "";
  return `Nothing was stored. These stores are not known: ${listed.join("; ")}${more}. \`tillkit stores list\` lists all stores. \`tillkit stores alias\` gives a store another name, and \`tillkit stores add\` adds a store.`;
}

/** The messages for a wrong count, by the rule that it breaks. */
const COUNT_RULES: Readonly<Record<InvalidCountFailure["rule"], string>> = {
  count: `Nothing was stored. A number of downloads is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, also after an addition.`,
  date: "Nothing was stored. A day is a day of the calendar, YYYY-MM-DD.",
  future: "Nothing was stored. A day is in the future.",
  store: "Nothing was stored. A store needs a name.",
};

const NUMBER_TEXTS: Readonly<Record<NumberFailure["name"], string>> = {
  "number.unassigned": "The phone number has no customer in this app. Nothing was changed.",
  "number.taken":
    "The new phone number has another customer already, or is the old one. Nothing was changed. To give one person one customer, use `tillkit customers merge`.",
  "customer.without-number":
    "Both customers need a phone number and must differ. Nothing was changed. `tillkit customers export` shows what is stored about a customer.",
  "number.changed":
    "The phone number changed meanwhile, or the customer was erased. Nothing was changed: look again.",
};

function isNumberFailure(problem: { readonly name: string }): problem is NumberFailure {
  return Object.hasOwn(NUMBER_TEXTS, problem.name);
}

function unknownAppFailure({ name, appIds }: UnknownAppFailure): CliFailure {
  const more = appIds.length === MAX_UNKNOWN_APPS_LISTED ? " and possibly more" : "";
  return failure(
    "refused",
    name,
    `Nothing was stored. These apps do not exist: ${appIds.join(", ")}${more}. \`tillkit apps list\` lists all apps, and \`tillkit apps create\` registers one.`,
  );
}

/**
 * Creates the failure for a database that cannot be used, or for one row that cannot be read.
 *
 * The message contains the reason that the driver gave, and what to do.
 */
export function storageFailure(problem: ReadinessFailure): CliFailure {
  const { name, cause } = problem;
  const row = unreadableRowOf(cause);
  if (row !== undefined) return failure("unavailable", name, unreadableText(row));
  const remedy =
    "remedy" in problem
      ? problem.remedy
      : "Check that it runs and can be reached. `tillkit doctor` reports what is missing.";
  return failure("unavailable", name, `The database cannot be used (${reasonOf(cause)}). ${remedy}`);
}

/** Creates the failure for what a driver threw outside of the stores. */
export function databaseFailure(cause: unknown): CliFailure {
  return storageFailure(readinessFailureOf(cause));
}

/** Describes a row that cannot be read, and what to do about it, in one line. */
export function unreadableText({ table, key, reason }: UnreadableRow): string {
  const row = visibleLine(`The row ${key.join(", ")} of ${table} cannot be read: ${reason}`);
  return `${row} Another version of Tillkit wrote the row, or somebody changed it by hand: use that version, or correct the row.`;
}

/**
 * Returns the message of an error in one line.
 *
 * A refused connection is an `AggregateError` with an empty message.
 */
export function reasonOf(cause: unknown): string {
  const [first] = innerErrors(cause);
  if (first !== undefined) return reasonOf(first);
  return isError(cause) && cause.message !== "" ? cause.message.replace(/\s+/g, " ") : "no reason given";
}
