import { err, ok, type Result, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { lazySchema } from "../shared/input.js";
import { newSecret } from "../shared/random.js";
import type { AccountWithPassword } from "./create-operator.js";
import type { OperatorAccount } from "./operator-account.js";
import { auditEntryOf, type OperatorCommand } from "./operator-command.js";
import { failOperator, type OperatorAccountFailure } from "./operator-failure.js";
import type { LastAdmin } from "./operator-store.js";
import { operatorName, operatorRights } from "./operator-input.js";
import { operatorOf } from "./operator.js";
import type { PasswordHasher } from "./password-hasher.js";

type UnknownOperator = OperatorAccountFailure<"operator.unknown"> | StorageFailure;
type RefusedChange = OperatorAccountFailure<"operator.last-admin"> | UnknownOperator;

/** Returns the account with this name, ignoring case. Accounts are never renamed or removed. */
async function accountOf(
  { operators }: Pick<Ports, "operators">,
  name: string,
): Promise<Result<OperatorAccount, UnknownOperator>> {
  const account = await operators.find(name);
  if (account.isErr()) return err(account.error);
  return account.value === undefined ? failOperator("operator.unknown") : ok(account.value);
}

/** Returns the changed account, or why the store changed nothing. */
function changedAccount(
  result: Result<OperatorAccount | LastAdmin | undefined, StorageFailure>,
): Result<OperatorAccount, RefusedChange> {
  if (result.isErr()) return err(result.error);
  if (result.value === "last-admin") return failOperator("operator.last-admin");
  return result.value === undefined ? failOperator("operator.unknown") : ok(result.value);
}

/** The parameters of {@link setOperatorRole}. */
export const operatorRoleInput = lazySchema(() =>
  z.object({ name: operatorName(), ...operatorRights() }).brand<"OperatorRoleInput">(),
);
/** Valid parameters, the output of `parseInput(operatorRoleInput(), …)`. */
export type OperatorRoleInput = z.output<ReturnType<typeof operatorRoleInput>>;

/**
 * Replaces the role and the apps of an operator. Takes effect at the operator's next request.
 *
 * @returns the account. Fails with `operator.unknown` if there is none, and with
 *   `operator.last-admin` if no active admin of every app would be left.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { operatorRoleInput, setOperatorRole } from "@tillkit/core/operators";
 *
 * const by = { operator: "han", reason: "does refunds now", from: "cli", traceId: "" };
 * const change = parseInput(operatorRoleInput(), { name: "li", role: "finance" });
 * const changed = await change.asyncAndThen((input) => setOperatorRole(ports, input, by));
 * ```
 */
export function setOperatorRole(
  ports: Pick<Ports, "operators" | "clock">,
  input: OperatorRoleInput,
  by: OperatorCommand,
): ResultAsync<OperatorAccount, RefusedChange> {
  return attempt(async () => {
    const account = await accountOf(ports, input.name);
    if (account.isErr()) return err(account.error);
    const { name } = account.value;
    const operator = operatorOf({ ...input, name });
    const { role, apps } = operator;
    const detail = JSON.stringify({ role, apps });
    const audit = auditEntryOf(ports, by, { action: "operator.role", subject: `operator:${name}`, detail });
    return changedAccount(await ports.operators.setRole(operator, audit.at, audit));
  });
}

/**
 * Disables or enables an account. Disabling ends all sessions of the operator.
 *
 * @returns the account. Fails with `operator.unknown` if there is none, and with
 *   `operator.last-admin` if no active admin of every app would be left.
 * @example
 * ```ts
 * import { setOperatorDisabled } from "@tillkit/core/operators";
 *
 * const by = { operator: "han", reason: "left the team", from: "cli", traceId: "" };
 * const disabled = await setOperatorDisabled(ports, "li", true, by);
 * ```
 */
export function setOperatorDisabled(
  ports: Pick<Ports, "operators" | "clock">,
  enteredName: string,
  disabled: boolean,
  by: OperatorCommand,
): ResultAsync<OperatorAccount, RefusedChange> {
  return attempt(async () => {
    const account = await accountOf(ports, enteredName);
    if (account.isErr()) return err(account.error);
    const { name } = account.value;
    const action = disabled ? "operator.disable" : "operator.enable";
    const audit = auditEntryOf(ports, by, { action, subject: `operator:${name}` });
    return changedAccount(await ports.operators.setDisabled(name, disabled, audit.at, audit));
  });
}

/**
 * Gives an operator a new generated password and removes the second factor.
 *
 * For an operator who lost the password or the phone. Ends all sessions of the operator. After the
 * next sign-in, the operator must choose another password, and set up a second factor if operators
 * must have one.
 *
 * @returns the account and the password. Fails with `operator.unknown` if there is no account.
 * @example
 * ```ts
 * import { resetOperator } from "@tillkit/core/operators";
 * import { scryptHasher } from "@tillkit/runtime";
 *
 * const by = { operator: "han", reason: "lost the phone", from: "cli", traceId: "" };
 * const reset = await resetOperator({ ...ports, passwords: scryptHasher() }, "li", by);
 * ```
 */
export function resetOperator(
  ports: Pick<Ports, "operators" | "clock" | "random"> & { readonly passwords: PasswordHasher },
  enteredName: string,
  by: OperatorCommand,
): ResultAsync<Required<AccountWithPassword>, UnknownOperator> {
  return attempt(async () => {
    const account = await accountOf(ports, enteredName);
    if (account.isErr()) return err(account.error);
    const { name } = account.value;
    const password = newSecret(ports.random);
    const passwordHash = await ports.passwords.hash(password);
    const audit = auditEntryOf(ports, by, { action: "operator.reset", subject: `operator:${name}` });
    const change = { passwordHash, mustChangePassword: true, removesSecondFactor: true, at: audit.at };
    const result = await ports.operators.setPassword(name, change, audit);
    if (result.isErr()) return result;
    return result.value === undefined
      ? failOperator("operator.unknown")
      : ok({ account: result.value, password });
  });
}
