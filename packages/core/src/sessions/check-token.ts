import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { complain, perPolicy } from "../shared/input.js";

/** The query of GET /checkAuth.json. */
export const checkTokenInput = perPolicy(() =>
  z.object({ token: z.string(complain("text")).min(1, complain("parameter.missing")) }),
);
/** A token to check: what `parseInput(checkTokenInput(policy), …)` returns. */
export type CheckTokenInput = z.output<ReturnType<typeof checkTokenInput>>;

/**
 * Whether the token opens a session of this app now; false for anything else, malformed ones included.
 * Source: payments spec, GET /checkAuth.json.
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

/** Ends the session of this token; false when it opened none. Not on the wire: a host calls it to log a customer out. */
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

/** Ends every session of the customer and says how many there were. Not on the wire. */
export function revokeAll(
  ports: Pick<Ports, "sessions">,
  appId: string,
  customerId: string,
): ResultAsync<number, StorageFailure> {
  return attempt(async () => ports.sessions.revokeAll(appId, customerId));
}

// A token is `{customerId}.{secret}`: the id lets a spread-out store find the session in one hop.
function sessionOf(ports: Pick<Ports, "digest">, appId: string, token: string) {
  const match = /^(cus_[0-9A-Z]{26})\.[\w-]{43}$/.exec(token);
  return match?.[1] === undefined
    ? undefined
    : { appId, customerId: match[1], tokenHash: ports.digest.sha256(token) };
}
