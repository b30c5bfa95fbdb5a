import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { type InputFailure, naturalNumber, onDemand, parseInput } from "../shared/input.js";
import { LONGEST_OVERLAP } from "../shared/limits.js";
import { attempt } from "../shared/attempt.js";
import { type AppWithSecret, newAppSecret } from "./create-app.js";

const rotateSecretInput = onDemand(() => z.object({ overlap: naturalNumber(LONGEST_OVERLAP) }));

/**
 * Gives the app a new secret, which works at once in every process.
 *
 * The previous secret keeps working for `overlap`, so that callers can be deployed in between. At
 * most two secrets are live at once. A secret that this call ends early is refused from now on in
 * this process, and within a second in others. Source: BEHAVIOUR, "Authentication", rotation.
 *
 * @param overlap - milliseconds, a whole number from 0 to 366 days.
 */
export function rotateSecret(
  ports: Pick<Ports, "apps" | "clock" | "digest" | "random">,
  appId: string,
  overlap: number,
): ResultAsync<AppWithSecret, InputFailure | FailureOf<"credentials.invalid" | "storage.unavailable">> {
  return attempt(async () => {
    const parsed = parseInput(rotateSecretInput(), { overlap });
    if (parsed.isErr()) return parsed;
    const now = ports.clock.now();
    const appSecret = newAppSecret(ports);
    const secret = { hash: ports.digest.sha256(appSecret), gmtCreate: now };
    const appResult = await ports.apps.addSecret(appId, secret, now + overlap);
    if (appResult.isErr()) return appResult;
    const app = appResult.value;
    return app === undefined ? fail("credentials.invalid") : ok({ app, appSecret });
  });
}
