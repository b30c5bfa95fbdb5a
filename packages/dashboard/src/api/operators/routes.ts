import { fail } from "@tillkit/core/errors";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import {
  createOperator,
  createOperatorInput,
  type OperatorCommand,
  operatorOf,
  operatorRoleInput,
  resetOperator,
  setOperatorDisabled,
  setOperatorRole,
  type AccountPorts,
} from "@tillkit/core/operators";
import type { OperatorAccount } from "@tillkit/core/ports";
import type { ApiFailure } from "../api-failure.js";
import { commandOf } from "../command-of.js";
import { requireEveryApp } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { reasonInput } from "../reason-input.js";
import { operatorChange, operatorRoute } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { accountSchema, accountWithPasswordSchema } from "./schemas.js";

/** Returns the account without secrets. */
function accountBody(account: OperatorAccount): z.output<typeof accountSchema> {
  const { totpSecret, mustChangePassword, disabled, gmtCreate, gmtModified } = account;
  return {
    ...operatorOf(account),
    hasSecondFactor: totpSecret !== undefined,
    mustChangePassword,
    disabled,
    gmtCreate,
    gmtModified,
  };
}

/** Answers with an account, for the repetition of a change. */
async function answerAccount({ ports }: RouteContext, name: string) {
  const found = await ports.operators.find(name);
  if (found.isErr()) return err(found.error);
  return found.value === undefined
    ? err({ name: "operator.unknown" } as const)
    : ok({ value: accountBody(found.value) });
}

/** Answers with an account without its password, because the store has only the password's hash. */
async function answerAccountWithoutPassword(context: RouteContext, name: string) {
  const answer = await answerAccount(context, name);
  return answer.map(({ value }) => ({ value: { account: value } }));
}

/**
 * Returns the ports of the accounts, and the operator who makes the change.
 *
 * Each change needs `requireEveryApp`: an operator of some apps could otherwise create or reset an
 * account of every app, and sign in with it.
 */
function commanded(
  context: RouteContext,
  reason: string,
): Result<{ readonly ports: AccountPorts; readonly by: OperatorCommand }, ApiFailure> {
  const { accounts } = context.access;
  if (accounts === undefined) return fail("endpoint.not-found");
  return ok({ ports: accounts.ports, by: commandOf(context, reason) });
}

const ofOperator = (inPath: Readonly<Record<string, string>>) => `operator:${inPath["name"] ?? ""}`;
const named = () => z.object({ name: singleLineText(64), ...reasonInput() });

/** Disables or enables an account. */
const disabling = (path: string, disabled: boolean) =>
  operatorChange({
    method: "POST",
    path,
    allowed: disabled ? "operator.disable" : "operator.enable",
    action: disabled ? "operator.disable" : "operator.enable",
    subject: ofOperator,
    input: named,
    response: () => accountSchema,
    require: requireEveryApp,
    repeat: (context, { name }) => answerAccount(context, name),
    run: async (context, { name, reason }) => {
      const found = commanded(context, reason);
      if (found.isErr()) return found;
      const changed = await setOperatorDisabled(found.value.ports, name, disabled, found.value.by);
      return changed.map((account) => ({ value: accountBody(account) }));
    },
  });

/** The endpoints for the accounts of operators. */
export const operatorsRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/operators",
    allowed: "operator.read",
    input: () => z.object({}),
    response: () => z.strictObject({ items: z.array(accountSchema).readonly() }),
    run: async (context) => {
      const unlimited = requireEveryApp(context);
      if (unlimited.isErr()) return err(unlimited.error);
      const listed = await context.ports.operators.list();
      return listed.map((accounts) => ({ value: { items: accounts.map(accountBody) } }));
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/operators",
    allowed: "operator.create",
    action: "operator.create",
    input: () => createOperatorInput().and(z.object(reasonInput())),
    secret: ["password"],
    response: () => accountWithPasswordSchema,
    require: requireEveryApp,
    repeat: (context, { name }) => answerAccountWithoutPassword(context, name),
    run: async (context, input) => {
      const found = commanded(context, input.reason);
      if (found.isErr()) return found;
      const created = await createOperator(found.value.ports, input, found.value.by);
      if (created.isErr()) return err(created.error);
      const { account, password } = created.value;
      const value = { account: accountBody(account), ...(password === undefined ? {} : { password }) };
      return ok({ value });
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/operators/{name}/role",
    allowed: "operator.role",
    action: "operator.role",
    subject: ofOperator,
    input: () => operatorRoleInput().and(z.object(reasonInput())),
    response: () => accountSchema,
    require: requireEveryApp,
    repeat: (context, { name }) => answerAccount(context, name),
    run: async (context, input) => {
      const found = commanded(context, input.reason);
      if (found.isErr()) return found;
      const changed = await setOperatorRole(found.value.ports, input, found.value.by);
      return changed.map((account) => ({ value: accountBody(account) }));
    },
  }),
  disabling("/api/operators/{name}/disable", true),
  disabling("/api/operators/{name}/enable", false),
  operatorChange({
    method: "POST",
    path: "/api/operators/{name}/reset",
    allowed: "operator.reset",
    action: "operator.reset",
    subject: ofOperator,
    input: named,
    response: () => accountWithPasswordSchema,
    require: requireEveryApp,
    repeat: (context, { name }) => answerAccountWithoutPassword(context, name),
    run: async (context, { name, reason }) => {
      const found = commanded(context, reason);
      if (found.isErr()) return found;
      const reset = await resetOperator(found.value.ports, name, found.value.by);
      return reset.map(({ account, password }) => ({ value: { account: accountBody(account), password } }));
    },
  }),
];
