import { err, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { attempt } from "../shared/attempt.js";
import { lazySchema, singleLineText } from "../shared/input.js";
import type { AccountPorts } from "./account-ports.js";
import { type OpenedOperatorSession, openOperatorSession } from "./operator-sessions.js";
import { refuseSignIn, type SignInFailure } from "./refuse-sign-in.js";
import { type SignInOrigin, takeSignInAttempt } from "./sign-in-attempts.js";

/** The parameters of {@link signIn}. */
export const signInInput = lazySchema(() =>
  z.object({ name: singleLineText(64), password: singleLineText(128) }).brand<"SignInInput">(),
);
/** A name and a password, the output of `parseInput(signInInput(), …)`. */
export type SignInInput = z.output<ReturnType<typeof signInInput>>;

/** Whether operators must have a second factor, or may have one. */
export type SecondFactor = "required" | "optional";

/**
 * Signs an operator in with name and password.
 *
 * If the account has a second factor, or must set one up, the session is not complete. The operator
 * can then only enter or set up the second factor. Unknown names, disabled accounts and wrong
 * passwords fail alike and take the same time. Attempts are counted before the password is
 * compared: per browser that the operator has signed in on before, and otherwise per name and per
 * address.
 *
 * @returns the session. Fails with `sign-in.wrong`, and with `sign-in.limited` and the time to wait
 *   after too many wrong attempts.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { type AccountPorts, signIn, signInInput } from "@tillkit/core/operators";
 *
 * declare const accountPorts: AccountPorts;
 *
 * const origin = { from: "192.0.2.1", traceId: "" };
 * const sent = { name: "li", password: "correct horse battery" };
 * const session = await parseInput(signInInput(), sent).asyncAndThen((input) =>
 *   signIn(accountPorts, input, "required", origin),
 * );
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/operator-accounts.md |
 *   Operators sign in with a password and a second factor}
 */
export function signIn(
  ports: AccountPorts,
  { name, password }: SignInInput,
  secondFactor: SecondFactor,
  origin: SignInOrigin,
): ResultAsync<OpenedOperatorSession, SignInFailure> {
  return attempt(async () => {
    const account = await ports.operators.find(name);
    if (account.isErr()) return err(account.error);
    const signInAttempt = await takeSignInAttempt(ports, name, account.value, origin);
    if (signInAttempt.isErr()) return err(signInAttempt.error);
    const matches = await ports.passwords.matches(password, account.value?.passwordHash);
    if (account.value === undefined || account.value.disabled || !matches)
      // An unknown name is not recorded: it may be a password in the wrong field.
      return refuseSignIn(ports, account.value?.name ?? "", origin);
    await signInAttempt.value.giveBack();
    const complete = account.value.totpSecret === undefined && secondFactor === "optional";
    return openOperatorSession(ports, account.value, complete, {
      operator: account.value.name,
      reason: "",
      ...origin,
    });
  });
}
