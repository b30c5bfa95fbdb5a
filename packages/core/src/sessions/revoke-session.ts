import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { sessionId, sessionOfToken } from "./session-of-token.js";

/**
 * Ends the session of this token. Returns false if the token has no session.
 *
 * Not part of the HTTP API: the host calls it to log a customer out.
 *
 * @returns whether the token had a session.
 * @example
 * ```ts
 * import { revokeSession } from "@tillkit/core";
 *
 * const revoked = await revokeSession(ports, "app_1", "the token of the request");
 * ```
 */
export function revokeSession(
  ports: Pick<Ports, "sessions" | "digest">,
  appId: string,
  token: string,
): ResultAsync<boolean, StorageFailure> {
  return attempt(async () => {
    const session = sessionOfToken(ports, appId, token);
    return session === undefined ? ok(false) : ports.sessions.revoke(session);
  });
}

/**
 * Ends all sessions of the customer, and returns how many. Not part of the HTTP API.
 *
 * @returns the number of sessions that ended.
 * @example
 * ```ts
 * import { revokeAllSessions } from "@tillkit/core";
 *
 * const revoked = await revokeAllSessions(ports, "app_1", "customer-7");
 * ```
 */
export function revokeAllSessions(
  ports: Pick<Ports, "sessions">,
  appId: string,
  customerId: string,
): ResultAsync<number, StorageFailure> {
  return attempt(async () => ports.sessions.revokeAll(appId, customerId));
}

/**
 * Ends the session of the customer with this id. Returns false if there is none.
 *
 * For a list of devices in the app, where a customer ends the session of one device: see
 * `listSessions`. The host must first check that the request comes from the customer. Not part of
 * the HTTP API.
 *
 * @returns whether the customer had the session.
 * @example
 * ```ts
 * import { revokeSessionById } from "@tillkit/core";
 *
 * const revoked = await revokeSessionById(ports, "app_1", "customer-7", "9f86d081884c7d65");
 * ```
 */
export function revokeSessionById(
  ports: Pick<Ports, "sessions" | "digest">,
  appId: string,
  customerId: string,
  id: string,
): ResultAsync<boolean, StorageFailure> {
  return attempt(async () => {
    const sessions = await ports.sessions.list(appId, customerId);
    if (sessions.isErr()) return sessions;
    const session = sessions.value.find((one) => sessionId(ports, one) === id);
    return session === undefined ? ok(false) : ports.sessions.revoke(session);
  });
}
