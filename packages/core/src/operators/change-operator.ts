import { ok, type ResultAsync } from "neverthrow";
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
import { operatorName, operatorRights } from "./operator-input.js";
import { operatorOf } from "./operator.js";
import type { PasswordHasher } from "./password-hasher.js";

type UnknownOperator = OperatorAccountFailure<"operator.unknown"> | StorageFailure;

/** The parameters of {@link setOperatorRole}. */
export const operatorRoleInput = lazySchema(() =>
  z.object({ name: operatorName(), ...operatorRights() }).brand<"OperatorRoleInput">(),
);
/** Valid parameters, the output of `parseInput(operatorRoleInput(), …)`. */
export type OperatorRoleInput = z.output<ReturnType<typeof operatorRoleInput>>;

/**
 * Replaces the role and the apps of an operator. Takes effect at the operator's next request.
 *
 * @returns the account. Fails with `operator.unknown` if there is none.
 * @example
 * ```ts
 * import { operatorRoleInput, parseInput, setOperatorRole } from "@tillkit/core";
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
): ResultAsync<OperatorAccount, UnknownOperator> {
  return attempt(async () => {
    const operator = operatorOf(input);
    const { name, role, apps } = operator;
    const detail = JSON.stringify({ role, apps });
    const audit = auditEntryOf(ports, by, { action: "operator.role", subject: `operator:${name}`, detail });
    const changed = await ports.operators.setRole(operator, audit.at, audit);
    if (changed.isErr()) return changed;
    return changed.value === undefined ? failOperator("operator.unknown") : ok(changed.value);
  });
}

/**
 * Disables or enables an account. Disabling ends all sessions of the operator.
 *
 * @returns the account. Fails with `operator.unknown` if there is none.
 * @example
 * ```ts
 * import { setOperatorDisabled } from "@tillkit/core";
 *
 * const by = { operator: "han", reason: "left the team", from: "cli", traceId: "" };
 * const disabled = await setOperatorDisabled(ports, "li", true, by);
 * ```
 */
export function setOperatorDisabled(
  ports: Pick<Ports, "operators" | "clock">,
  name: string,
  disabled: boolean,
  by: OperatorCommand,
): ResultAsync<OperatorAccount, UnknownOperator> {
  return attempt(async () => {
    const action = disabled ? "operator.disable" : "operator.enable";
    const audit = auditEntryOf(ports, by, { action, subject: `operator:${name}` });
    const changed = await ports.operators.setDisabled(name, disabled, audit.at, audit);
    if (changed.isErr()) return changed;
    return changed.value === undefined ? failOperator("operator.unknown") : ok(changed.value);
  });
}

/**
 * Gives an operator a new generated password and removes the second factor.
 *
 * For an operator who lost the password or the phone. Ends all sessions of the operator, who must
 * choose another password and set up a second factor after the next sign-in.
 *
 * @returns the account and the password. Fails with `operator.unknown` if there is no account.
 * @example
 * ```ts
 * import { resetOperator } from "@tillkit/core";
 * import { scryptHasher } from "@tillkit/runtime";
 *
 * const by = { operator: "han", reason: "lost the phone", from: "cli", traceId: "" };
 * const reset = await resetOperator({ ...ports, passwords: scryptHasher() }, "li", by);
 * ```
 */
export function resetOperator(
  ports: Pick<Ports, "operators" | "clock" | "random"> & { readonly passwords: PasswordHasher },
  name: string,
  by: OperatorCommand,
): ResultAsync<Required<AccountWithPassword>, UnknownOperator> {
  return attempt(async () => {
    const password = newSecret(ports.random);
    const passwordHash = await ports.passwords.hash(password);
    const audit = auditEntryOf(ports, by, { action: "operator.reset", subject: `operator:${name}` });
    const change = { passwordHash, mustChangePassword: true, removesSecondFactor: true, at: audit.at };
    const changed = await ports.operators.setPassword(name, change, audit);
    if (changed.isErr()) return changed;
    return changed.value === undefined
      ? failOperator("operator.unknown")
      : ok({ account: changed.value, password });
  });
}
