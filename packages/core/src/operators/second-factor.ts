import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { attempt } from "../shared/attempt.js";
import type { AccountPorts } from "./account-ports.js";
import { auditEntryOf } from "./operator-command.js";
import { failOperator, type OperatorAccountFailure } from "./operator-failure.js";
import {
  type LiveOperatorSession,
  type OpenedOperatorSession,
  openOperatorSession,
} from "./operator-sessions.js";
import type { SecondFactorChange } from "./operator-store.js";
import { refuseSignIn, type SignInFailure } from "./refuse-sign-in.js";
import type { SecondFactor } from "./sign-in.js";
import { type SignInOrigin, type TakenAttempt, takeSignInAttempt } from "./sign-in-attempts.js";

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
 * import { type AccountPorts, enterCode, type PresentedSession } from "@tillkit/core/operators";
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
    const signInAttempt = await takeSignInAttempt(ports, name, presented.account, origin);
    if (signInAttempt.isErr()) return err(signInAttempt.error);
    const step =
      totpSecret === undefined ? undefined : ports.totp.stepOf(code, totpSecret, ports.clock.now());
    if (step === undefined) return refuseSignIn(ports, name, origin);
    const used = await ports.operators.useTotpStep(name, step);
    if (used.isErr()) return used;
    if (!used.value) return refuseSignIn(ports, name, origin);
    await signInAttempt.value.giveBack();
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
 * Returns the key of a new second factor. Every call in a session returns the same key.
 *
 * Stores nothing: the key is derived from the session. A complete session needs the password again,
 * so that a stolen session cannot set or replace the second factor. Wrong passwords count as at
 * sign-in.
 *
 * @param password - the current password. Absent only for a session that is not complete.
 * @returns the key. Show it once. Fails with `sign-in.wrong` without the right password.
 * @example
 * ```ts
 * import {
 *   type AccountPorts,
 *   beginEnrolment,
 *   type PresentedSession,
 * } from "@tillkit/core/operators";
 *
 * declare const accountPorts: AccountPorts;
 * declare const presented: PresentedSession;
 *
 * const origin = { from: "192.0.2.1", traceId: "" };
 * const begun = await beginEnrolment(accountPorts, presented, "correct horse battery", origin);
 * ```
 */
export function beginEnrolment(
  ports: AccountPorts,
  presented: PresentedSession,
  password: string | undefined,
  origin: SignInOrigin,
): ResultAsync<Enrolment, SignInFailure> {
  return attempt(async () => {
    const signInAttempt = await takePassword(ports, presented, password, origin);
    if (signInAttempt.isErr()) return err(signInAttempt.error);
    await signInAttempt.value.giveBack();
    return ok(enrolmentOf(ports, presented));
  });
}

/** Returns the key that a session offers. */
function enrolmentOf(
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
 * Counts an attempt, and compares the password if the session is complete.
 *
 * A session that is not complete has just been opened with the password.
 */
async function takePassword(
  ports: AccountPorts,
  { account, session }: PresentedSession,
  password: string | undefined,
  origin: SignInOrigin,
): Promise<Result<TakenAttempt, SignInFailure>> {
  const signInAttempt = await takeSignInAttempt(ports, account.name, account, origin);
  if (signInAttempt.isErr() || !session.complete) return signInAttempt;
  return (await ports.passwords.matches(password ?? "", account.passwordHash))
    ? signInAttempt
    : refuseSignIn(ports, account.name, origin);
}

/** Why a change of the second factor fails. */
type SecondFactorFailure = OperatorAccountFailure<
  "second-factor.exists" | "second-factor.changed" | "second-factor.required"
>;

/** What an operator enters to set up a second factor. */
export interface SecondFactorProof {
  /** A code of the new key. */
  readonly code: string;
  /** The current password. Absent only for a session that is not complete. */
  readonly password?: string;
}

/**
 * Sets up or replaces the second factor with a first code of its key, and completes the session.
 *
 * Ends the operator's other sessions. A session that is not complete can only set up the first
 * second factor of the account.
 *
 * @returns the complete session. Fails with `second-factor.exists` if the session is not complete
 *   and the account already has a second factor. Fails with `second-factor.changed` if another
 *   session changed it meanwhile, and with `sign-in.wrong` for a wrong code or password.
 * @example
 * ```ts
 * import {
 *   type AccountPorts,
 *   confirmSecondFactor,
 *   type PresentedSession,
 * } from "@tillkit/core/operators";
 *
 * declare const accountPorts: AccountPorts;
 * declare const presented: PresentedSession;
 *
 * const origin = { from: "192.0.2.1", traceId: "" };
 * const proof = { code: "123456", password: "correct horse battery" };
 * const complete = await confirmSecondFactor(accountPorts, presented, proof, origin);
 * ```
 */
export function confirmSecondFactor(
  ports: AccountPorts,
  presented: PresentedSession,
  { code, password }: SecondFactorProof,
  origin: SignInOrigin,
): ResultAsync<OpenedOperatorSession, SignInFailure | SecondFactorFailure> {
  return attempt(async () => {
    const signInAttempt = await takePassword(ports, presented, password, origin);
    if (signInAttempt.isErr()) return err(signInAttempt.error);
    const { key } = enrolmentOf(ports, presented);
    const totpLastStep = ports.totp.stepOf(code, key, ports.clock.now());
    if (totpLastStep === undefined) return refuseSignIn(ports, presented.account.name, origin);
    const factor = { totpSecret: key, totpLastStep };
    return setSecondFactor(ports, presented, signInAttempt.value, factor, origin);
  });
}

/**
 * Removes the second factor, if the policy allows accounts without one.
 *
 * Ends the operator's other sessions. Wrong passwords count as at sign-in.
 *
 * @param password - the current password.
 * @returns the session that replaces the presented one. Fails with `second-factor.required` if
 *   operators must have a second factor, with `second-factor.changed` if there is none or it was
 *   changed meanwhile, and with `sign-in.wrong` for a wrong password or a session that is not
 *   complete.
 * @example
 * ```ts
 * import {
 *   type AccountPorts,
 *   type PresentedSession,
 *   removeSecondFactor,
 * } from "@tillkit/core/operators";
 *
 * declare const accountPorts: AccountPorts;
 * declare const presented: PresentedSession;
 *
 * const origin = { from: "192.0.2.1", traceId: "" };
 * const password = "correct horse battery";
 * const removed = await removeSecondFactor(accountPorts, presented, password, "optional", origin);
 * ```
 */
export function removeSecondFactor(
  ports: AccountPorts,
  presented: PresentedSession,
  password: string,
  policy: SecondFactor,
  origin: SignInOrigin,
): ResultAsync<OpenedOperatorSession, SignInFailure | SecondFactorFailure> {
  return attempt(async () => {
    if (policy === "required") return failOperator("second-factor.required");
    const signInAttempt = await takePassword(ports, presented, password, origin);
    if (signInAttempt.isErr()) return err(signInAttempt.error);
    // Otherwise the password alone would be enough to remove the second factor.
    if (!presented.session.complete) return refuseSignIn(ports, presented.account.name, origin);
    if (presented.account.totpSecret === undefined) return failOperator("second-factor.changed");
    return setSecondFactor(ports, presented, signInAttempt.value, undefined, origin);
  });
}

/** Stores a change whose code or password was checked, and replaces the session. */
async function setSecondFactor(
  ports: AccountPorts,
  { account, session }: PresentedSession,
  signInAttempt: TakenAttempt,
  factor: SecondFactorChange["factor"],
  origin: SignInOrigin,
): Promise<Result<OpenedOperatorSession, SignInFailure | SecondFactorFailure>> {
  const { name, totpSecret } = account;
  const { tokenHash, complete } = session;
  // Only a complete session has proved the second factor that the change replaces.
  const replaces = complete ? totpSecret : undefined;
  const by = { operator: name, reason: "", ...origin };
  const kind = factor === undefined ? "removed" : replaces === undefined ? "set" : "replaced";
  const detail = JSON.stringify({ secondFactor: kind });
  const facts = { action: "operator.second-factor", subject: `operator:${name}`, detail } as const;
  const audit = auditEntryOf(ports, by, facts);
  const change = {
    tokenHash,
    ...(factor === undefined ? {} : { factor }),
    ...(replaces === undefined ? {} : { replaces }),
    at: audit.at,
  };
  const result = await ports.operators.setSecondFactor(name, change, audit);
  if (result.isErr()) return err(result.error);
  if (result.value === undefined)
    return failOperator(complete ? "second-factor.changed" : "second-factor.exists");
  await signInAttempt.giveBack();
  return openOperatorSession(ports, result.value, true, by, tokenHash);
}
