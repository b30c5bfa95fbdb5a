import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { issue, perPolicy } from "../shared/input.js";
import { sessionOfToken } from "./session-of-token.js";

/** The query parameters of GET /checkAuth.json. */
export const checkTokenInput = perPolicy(() =>
  z.object({ token: z.string(issue("text")).min(1, issue("parameter.missing")) }),
);
/** A token, the output of `parseInput(checkTokenInput(policy), …)`. */
export type CheckTokenInput = z.output<ReturnType<typeof checkTokenInput>>;

/**
 * Returns whether the token belongs to a live session of this app.
 *
 * Returns false for any other token, including a malformed one. The store decides whether the
 * session is live, and stores its use: `SessionStore.use`. If `policy.slidingSessionExpiry` is
 * true, a use extends the session, at most once a day.
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
  ports: Pick<Ports, "sessions" | "clock" | "digest" | "policy">,
  appId: string,
  { token }: CheckTokenInput,
): ResultAsync<boolean, StorageFailure> {
  return attempt(async () => {
    const session = sessionOfToken(ports, appId, token);
    if (session === undefined) return ok(false);
    const now = ports.clock.now();
    const { sessionTtl, slidingSessionExpiry } = ports.policy;
    return ports.sessions.use(session, now, slidingSessionExpiry ? now + sessionTtl : undefined);
  });
}
