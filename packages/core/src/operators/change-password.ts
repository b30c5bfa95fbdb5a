import { err, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { attempt } from "../shared/attempt.js";
import { lazySchema, singleLineText } from "../shared/input.js";
import type { AccountPorts } from "./account-ports.js";
import { auditEntryOf } from "./operator-command.js";
import { newPassword } from "./operator-input.js";
import { type OpenedOperatorSession, openOperatorSession } from "./operator-sessions.js";
import { refuseSignIn, type SignInFailure } from "./refuse-sign-in.js";
import type { PresentedSession } from "./second-factor.js";
import { type SignInOrigin, takeSignInAttempt } from "./sign-in-attempts.js";

/** The parameters of {@link changePassword}. */
export const changePasswordInput = lazySchema(() =>
  z.object({ current: singleLineText(128), next: newPassword() }).brand<"ChangePasswordInput">(),
);
/** Both passwords, the output of `parseInput(changePasswordInput(), …)`. */
export type ChangePasswordInput = z.output<ReturnType<typeof changePasswordInput>>;

/**
 * Replaces the operator's own password, ends all sessions, and opens a new session.
 *
 * @returns the new session. Fails with `sign-in.wrong` if the current password is wrong.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import {
 *   type AccountPorts,
 *   changePassword,
 *   changePasswordInput,
 *   type PresentedSession,
 * } from "@tillkit/core/operators";
 *
 * declare const accountPorts: AccountPorts;
 * declare const presented: PresentedSession;
 *
 * const origin = { from: "192.0.2.1", traceId: "" };
 * const sent = { current: "correct horse battery", next: "staple correct horse" };
 * const changed = await parseInput(changePasswordInput(), sent).asyncAndThen((input) =>
 *   changePassword(accountPorts, presented, input, origin),
 * );
 * ```
 */
export function changePassword(
  ports: AccountPorts,
  { account, session }: Pick<PresentedSession, "account" | "session">,
  { current, next }: ChangePasswordInput,
  origin: SignInOrigin,
): ResultAsync<OpenedOperatorSession, SignInFailure> {
  return attempt(async () => {
    const { name } = account;
    const signInAttempt = await takeSignInAttempt(ports, name, account, origin);
    if (signInAttempt.isErr()) return err(signInAttempt.error);
    if (!(await ports.passwords.matches(current, account.passwordHash)))
      return refuseSignIn(ports, name, origin);
    await signInAttempt.value.giveBack();
    const by = { operator: name, reason: "", ...origin };
    const audit = auditEntryOf(ports, by, { action: "operator.password", subject: `operator:${name}` });
    const passwordHash = await ports.passwords.hash(next);
    const change = {
      passwordHash,
      mustChangePassword: false,
      removesSecondFactor: false,
      replaces: account.passwordHash,
      at: audit.at,
    };
    const result = await ports.operators.setPassword(name, change, audit);
    if (result.isErr()) return result;
    if (result.value === undefined) return refuseSignIn(ports, name, origin);
    return openOperatorSession(ports, result.value, session.complete, by);
  });
}
