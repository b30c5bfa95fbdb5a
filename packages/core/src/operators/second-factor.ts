import { err, type ResultAsync } from "neverthrow";
import { attempt } from "../shared/attempt.js";
import type { AccountPorts } from "./account-ports.js";
import { auditEntryOf } from "./operator-command.js";
import { failOperator, type OperatorAccountFailure } from "./operator-failure.js";
import {
  type LiveOperatorSession,
  type OpenedOperatorSession,
  openOperatorSession,
} from "./operator-sessions.js";
import { refuseSignIn, type SignInFailure } from "./refuse-sign-in.js";
import { type SignInOrigin, takeSignInAttempt } from "./sign-in-attempts.js";

/** A session with its token in clear text. */
export interface PresentedSession extends LiveOperatorSession {
  readonly token: string;
}

/**
 * Completes a sign-in with a code of the second factor.
 *
 * Each code works once. Wrong codes count like wrong passwords. The session is replaced by a
 * complete one with other tokens.
 *
 * @returns the complete session.
 * @example
 * ```ts
 * import { type AccountPorts, enterCode, type PresentedSession } from "@tillkit/core";
 *
 * declare const accountPorts: AccountPorts;
 * declare const presented: PresentedSession;
 *
 * const origin = { from: "192.0.2.1", traceId: "" };
 * const complete = await enterCode(accountPorts, presented, "123456", origin);
 * ```
 */
export function enterCode(
  ports: AccountPorts,
  presented: PresentedSession,
  code: string,
  origin: SignInOrigin,
): ResultAsync<OpenedOperatorSession, SignInFailure> {
  return attempt(async () => {
    const { name, totpSecret } = presented.account;
    const attempted = await takeSignInAttempt(ports, name, presented.account, origin);
    if (attempted.isErr()) return err(attempted.error);
    const step =
      totpSecret === undefined ? undefined : ports.totp.stepOf(code, totpSecret, ports.clock.now());
    if (step === undefined) return refuseSignIn(ports, name, origin);
    const used = await ports.operators.useTotpStep(name, step);
    if (used.isErr()) return used;
    if (!used.value) return refuseSignIn(ports, name, origin);
    await attempted.value.giveBack();
    const by = { operator: name, reason: "", ...origin };
    return openOperatorSession(ports, presented.account, true, by, presented.session.tokenHash);
  });
}

/** A key for an app on the operator's phone. It works only after {@link confirmSecondFactor}. */
export interface Enrolment {
  /** Base32, for typing. */
  readonly key: string;
  /** The `otpauth:` address, for a QR code. */
  readonly uri: string;
}

/**
 * Returns the key of a new second factor, the same one for each call in a session.
 *
 * Stores nothing: the key follows from the session.
 *
 * @returns the key. Show it once.
 * @example
 * ```ts
 * import { type AccountPorts, beginEnrolment, type PresentedSession } from "@tillkit/core";
 *
 * declare const accountPorts: AccountPorts;
 * declare const presented: PresentedSession;
 *
 * const { uri } = beginEnrolment(accountPorts, presented);
 * ```
 */
export function beginEnrolment(
  ports: Pick<AccountPorts, "digest" | "totp">,
  { account, token }: Pick<PresentedSession, "account" | "token">,
): Enrolment {
  const [hash] = ports.digest.keyed(`second factor\n${account.name}\n${token}`);
  const hexadecimal = hash.slice(hash.indexOf(":") + 1);
  const bytes = Uint8Array.from({ length: 20 }, (_, nth) =>
    Number.parseInt(hexadecimal.slice(2 * nth, 2 * nth + 2), 16),
  );
  const key = ports.totp.keyOf(bytes);
  return { key, uri: ports.totp.uri(key, account.name) };
}

/**
 * Sets up the second factor with a first code, and completes the session.
 *
 * @returns the complete session. Fails with `second-factor.exists` if the account has one already,
 *   and with `sign-in.wrong` for a wrong code.
 * @example
 * ```ts
 * import { type AccountPorts, confirmSecondFactor, type PresentedSession } from "@tillkit/core";
 *
 * declare const accountPorts: AccountPorts;
 * declare const presented: PresentedSession;
 *
 * const origin = { from: "192.0.2.1", traceId: "" };
 * const complete = await confirmSecondFactor(accountPorts, presented, "123456", origin);
 * ```
 */
export function confirmSecondFactor(
  ports: AccountPorts,
  presented: PresentedSession,
  code: string,
  origin: SignInOrigin,
): ResultAsync<OpenedOperatorSession, SignInFailure | OperatorAccountFailure<"second-factor.exists">> {
  return attempt(async () => {
    const { name } = presented.account;
    const { tokenHash } = presented.session;
    const { key } = beginEnrolment(ports, presented);
    const now = ports.clock.now();
    const attempted = await takeSignInAttempt(ports, name, presented.account, origin);
    if (attempted.isErr()) return err(attempted.error);
    const totpLastStep = ports.totp.stepOf(code, key, now);
    if (totpLastStep === undefined) return refuseSignIn(ports, name, origin);
    const by = { operator: name, reason: "", ...origin };
    const facts = { action: "operator.second-factor", subject: `operator:${name}` } as const;
    const factor = { totpSecret: key, totpLastStep };
    const enrolled = await ports.operators.enrol(
      name,
      tokenHash,
      factor,
      now,
      auditEntryOf(ports, by, facts),
    );
    if (enrolled.isErr()) return enrolled;
    if (!enrolled.value) return failOperator("second-factor.exists");
    await attempted.value.giveBack();
    return openOperatorSession(ports, presented.account, true, by, tokenHash);
  });
}
