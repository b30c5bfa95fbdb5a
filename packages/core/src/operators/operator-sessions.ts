import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { attempt } from "../shared/attempt.js";
import { type Digest, equalInConstantTime } from "../shared/digest.js";
import { newSecret } from "../shared/random.js";
import type { AccountPorts } from "./account-ports.js";
import { type KnownDevice, newKnownDevice } from "./known-device.js";
import type { OperatorAccount } from "./operator-account.js";
import { auditEntryOf, besideChange, type OperatorCommand } from "./operator-command.js";
import { failOperator, type OperatorAccountFailure } from "./operator-failure.js";
import type { OperatorSession } from "./operator-session-store.js";

const HOUR = 60 * 60_000;
/** The longest time of a session, in milliseconds. */
const OPERATOR_SESSION_TTL = 12 * HOUR;
/** The longest pause between two requests of a session, in milliseconds. */
const OPERATOR_SESSION_IDLE = HOUR;
/** A session whose second factor was not entered ends after this time, in milliseconds. */
const INCOMPLETE_TTL = 10 * 60_000;
/** `lastSeenAt` is stored at most this often, in milliseconds. */
const TOUCH_INTERVAL = 60_000;

/** An opened session with its tokens in clear text. Tillkit stores only their hashes. */
export interface OpenedOperatorSession {
  readonly session: OperatorSession;
  readonly account: OperatorAccount;
  /** The value of the cookie. */
  readonly token: string;
  /** The value of the header that changes must send. */
  readonly csrfToken: string;
  /** Makes the browser known for the next sign-in. Absent for a session that is not complete. */
  readonly device?: KnownDevice;
}

/**
 * Opens a session, in place of the one with the token hash `replaces`, if given.
 *
 * Fails with `sign-in.wrong` if the account was disabled or the replaced session ended meanwhile.
 */
export function openOperatorSession(
  ports: AccountPorts,
  account: OperatorAccount,
  complete: boolean,
  by: OperatorCommand,
  replaces?: string,
): ResultAsync<OpenedOperatorSession, OperatorAccountFailure<"sign-in.wrong"> | StorageFailure> {
  return attempt(async () => {
    const now = ports.clock.now();
    const token = newSecret(ports.random);
    const [csrfToken] = csrfTokensOf(ports.digest, token);
    const session = {
      tokenHash: ports.digest.sha256(token),
      operator: account.name,
      csrfHash: ports.digest.sha256(csrfToken),
      complete,
      createdAt: now,
      expiresAt: now + (complete ? OPERATOR_SESSION_TTL : INCOMPLETE_TTL),
      lastSeenAt: now,
    };
    const detail = JSON.stringify({ complete });
    const facts = { action: "session.open", subject: `operator:${account.name}`, detail } as const;
    const audit = auditEntryOf(ports, besideChange(by), facts);
    const opened = await ports.operatorSessions.open(session, audit, replaces);
    if (opened.isErr()) return opened;
    if (!opened.value) return failOperator("sign-in.wrong");
    const device = complete ? { device: newKnownDevice(ports, account) } : {};
    return ok({ session, account, token, csrfToken, ...device });
  });
}

/**
 * Returns a session's tokens against forged requests (CSRF), one per pepper, the current one first.
 *
 * They are derived from the token of the session, so that a reloaded page gets the same token
 * again.
 */
function csrfTokensOf(digest: Pick<Digest, "keyed">, token: string): ReturnType<Digest["keyed"]> {
  return digest.keyed(`token against forged requests\n${token}`);
}

/** A live session and its account. */
export interface LiveOperatorSession {
  readonly session: OperatorSession;
  readonly account: OperatorAccount;
}

/**
 * Returns the live session of a token, or `undefined`.
 *
 * A session is live if it has not expired, was used within the last hour, and its account is not
 * disabled.
 *
 * @param isUse - whether the request counts as a use of the session. False for requests that a page
 *   sends by itself, so that an unattended page does not extend its session. Defaults to true.
 * @returns the session with its account as stored now.
 * @example
 * ```ts
 * import { findOperatorSession } from "@tillkit/core/operators";
 *
 * const found = await findOperatorSession(ports, "the value of the cookie");
 * const operator = found.unwrapOr(undefined)?.account.name;
 * ```
 */
export function findOperatorSession(
  ports: Pick<AccountPorts, "operatorSessions" | "digest" | "clock">,
  token: string,
  isUse = true,
): ResultAsync<LiveOperatorSession | undefined, StorageFailure> {
  return attempt(async () => {
    const tokenHash = ports.digest.sha256(token);
    const record = await ports.operatorSessions.find(tokenHash);
    if (record.isErr()) return record;
    if (record.value === undefined) return ok(undefined);
    const { session, account } = record.value;
    const now = ports.clock.now();
    const isIdle = session.lastSeenAt + OPERATOR_SESSION_IDLE <= now;
    if (account.disabled || session.expiresAt <= now || isIdle) return ok(undefined);
    if (isUse && session.lastSeenAt + TOUCH_INTERVAL <= now) {
      const touched = await ports.operatorSessions.touch(tokenHash, now);
      if (touched.isErr()) return touched;
    }
    return ok(record.value);
  });
}

/**
 * Returns the session's token against forged requests, for a page that was loaded again.
 *
 * @param token - the value of the cookie.
 * @returns the token. `undefined` if the host does not have the pepper any more: the operator must
 *   sign in again.
 * @example
 * ```ts
 * import { recallCsrfToken } from "@tillkit/core/operators";
 * import type { OperatorSession } from "@tillkit/core/ports";
 *
 * declare const session: OperatorSession;
 *
 * const csrfToken = recallCsrfToken(ports, session, "the value of the cookie");
 * ```
 */
export function recallCsrfToken(
  { digest }: Pick<AccountPorts, "digest">,
  { csrfHash }: Pick<OperatorSession, "csrfHash">,
  token: string,
): string | undefined {
  const tokens = csrfTokensOf(digest, token);
  return tokens.find((sent) => equalInConstantTime(digest.sha256(sent), csrfHash));
}

/**
 * Returns whether a header has the session's token against forged requests.
 *
 * @returns true for the token of the session. The comparison takes the same time for every text.
 * @example
 * ```ts
 * import { hasCsrfToken } from "@tillkit/core/operators";
 * import type { OperatorSession } from "@tillkit/core/ports";
 *
 * declare const session: OperatorSession;
 *
 * const isGenuine = hasCsrfToken(ports, session, "the value of the header");
 * ```
 */
export function hasCsrfToken(
  { digest }: Pick<AccountPorts, "digest">,
  { csrfHash }: Pick<OperatorSession, "csrfHash">,
  token: string,
): boolean {
  return equalInConstantTime(digest.sha256(token), csrfHash);
}

/**
 * Ends the session of a token.
 *
 * @returns whether there was such a session.
 * @example
 * ```ts
 * import { closeOperatorSession } from "@tillkit/core/operators";
 *
 * const by = { operator: "li", reason: "", from: "192.0.2.1", traceId: "" };
 * await closeOperatorSession(ports, "the value of the cookie", by);
 * ```
 */
export function closeOperatorSession(
  ports: Pick<AccountPorts, "operatorSessions" | "digest" | "clock">,
  token: string,
  by: OperatorCommand,
): ResultAsync<boolean, StorageFailure> {
  const facts = { action: "session.close", subject: `operator:${by.operator}` } as const;
  return ports.operatorSessions.close(ports.digest.sha256(token), auditEntryOf(ports, by, facts));
}
