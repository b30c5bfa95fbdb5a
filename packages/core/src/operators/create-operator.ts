import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { lazySchema } from "../shared/input.js";
import { newSecret } from "../shared/random.js";
import type { OperatorAccount } from "./operator-account.js";
import { auditEntryOf, type OperatorCommand } from "./operator-command.js";
import { failOperator, type OperatorAccountFailure } from "./operator-failure.js";
import { newPassword, operatorName, operatorRights } from "./operator-input.js";
import { grantsAfter } from "./operator-grant.js";
import { operatorOf } from "./operator.js";
import type { PasswordHasher } from "./password-hasher.js";

/** The parameters of {@link createOperator}. Without a password, one is generated. */
export const createOperatorInput = lazySchema(() =>
  z
    .object({ name: operatorName(), ...operatorRights(), password: newPassword().optional() })
    .brand<"CreateOperatorInput">(),
);
/** Valid parameters, the output of `parseInput(createOperatorInput(), …)`. */
export type CreateOperatorInput = z.output<ReturnType<typeof createOperatorInput>>;

/** An account, with its password if it was generated. Only this result contains the password. */
export interface AccountWithPassword {
  readonly account: OperatorAccount;
  readonly password?: string;
}

/**
 * Creates the account of an operator.
 *
 * A generated password must be changed after the first sign-in.
 *
 * @returns the account. Fails with `operator.exists` if the name is taken.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { createOperator, createOperatorInput } from "@tillkit/core/operators";
 * import { scryptHasher } from "@tillkit/runtime";
 *
 * const by = { operator: "han", reason: "joined the team", from: "cli", traceId: "" };
 * const account = parseInput(createOperatorInput(), { name: "li", role: "support" });
 * const created = await account.asyncAndThen((input) =>
 *   createOperator({ ...ports, passwords: scryptHasher() }, input, by),
 * );
 * ```
 */
export function createOperator(
  ports: Pick<Ports, "operators" | "clock" | "random"> & { readonly passwords: PasswordHasher },
  { password, ...input }: CreateOperatorInput,
  by: OperatorCommand,
): ResultAsync<AccountWithPassword, OperatorAccountFailure<"operator.exists"> | StorageFailure> {
  return attempt(async () => {
    const fresh = password === undefined ? newSecret(ports.random) : undefined;
    const { name, role, apps } = input;
    const detail = JSON.stringify({ role, apps });
    const facts = { action: "operator.create", subject: `operator:${name}`, detail } as const;
    const audit = auditEntryOf(ports, by, facts);
    const account = {
      ...operatorOf(input),
      passwordHash: await ports.passwords.hash(password ?? fresh ?? ""),
      mustChangePassword: fresh !== undefined,
      disabled: false,
      grants: grantsAfter({ name, grants: [] }, "create", audit),
      gmtCreate: audit.at,
      gmtModified: audit.at,
    };
    const result = await ports.operators.insertOnce(account, audit);
    if (result.isErr()) return result;
    if (!result.value.inserted) return failOperator("operator.exists");
    return ok({ account: result.value.account, ...(fresh === undefined ? {} : { password: fresh }) });
  });
}
