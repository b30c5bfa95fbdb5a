import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { issue, perPolicy } from "../shared/input.js";

/** The query parameters of GET /checkAuth.json. */
export const checkTokenInput = perPolicy(() =>
  z.object({ token: z.string(issue("text")).min(1, issue("parameter.missing")) }),
);
/** A token, the output of `parseInput(checkTokenInput(policy), …)`. */
export type CheckTokenInput = z.output<ReturnType<typeof checkTokenInput>>;

/**
 * Returns whether the token belongs to a live session of this app.
 *
 * Returns false for any other token, including a malformed one.
 *
 * @returns whether the session is live.
 * @example
 * ```ts
 * import { checkToken } from "@tillkit/core";
 *
 * const isLive = await checkToken(ports, "app_1", { token: "the token of the request" });
 * ```
 */
export function checkToken(
  ports: Pick<Ports, "sessions" | "clock" | "digest">,
  appId: string,
  { token }: CheckTokenInput,
): ResultAsync<boolean, StorageFailure> {
  return attempt(async () => {
    const session = sessionOf(ports, appId, token);
    return session === undefined ? ok(false) : ports.sessions.isLive(session, ports.clock.now());
  });
}

/**
 * Ends the session of this token. Returns false if it has no session.
 *
 * Not part of the HTTP API: the host calls it to log a customer out.
 *
 * @returns whether the token had a session.
 * @example
 * ```ts
 * import { revoke } from "@tillkit/core";
 *
 * const revoked = await revoke(ports, "app_1", "the token of the request");
 * ```
 */
export function revoke(
  ports: Pick<Ports, "sessions" | "digest">,
  appId: string,
  token: string,
): ResultAsync<boolean, StorageFailure> {
  return attempt(async () => {
    const session = sessionOf(ports, appId, token);
    return session === undefined ? ok(false) : ports.sessions.revoke(session);
  });
}

/**
 * Ends all sessions of the customer, and returns how many. Not part of the HTTP API.
 *
 * @returns the number of sessions that ended.
 * @example
 * ```ts
 * import { revokeAll } from "@tillkit/core";
 *
 * const revoked = await revokeAll(ports, "app_1", "customer-7");
 * ```
 */
export function revokeAll(
  ports: Pick<Ports, "sessions">,
  appId: string,
  customerId: string,
): ResultAsync<number, StorageFailure> {
  return attempt(async () => ports.sessions.revokeAll(appId, customerId));
}

// A token is `{customerId}.{secret}`. The id lets a partitioned store find the session directly.
function sessionOf(ports: Pick<Ports, "digest">, appId: string, token: string) {
  const match = /^(cus_[0-9A-Z]{26})\.[\w-]{43}$/.exec(token);
  return match?.[1] === undefined
    ? undefined
    : { appId, customerId: match[1], tokenHash: ports.digest.sha256(token) };
}
