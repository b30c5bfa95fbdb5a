import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { type InputFailure, naturalNumber, onDemand, parseInput } from "../shared/input.js";
import { steps } from "../shared/steps.js";
import { type AppWithSecret, newAppSecret } from "./create-app.js";

const rotateSecretInput = onDemand(() => z.object({ overlap: naturalNumber() }));

/**
 * Gives the app a new secret. The previous one keeps working for `overlap` milliseconds, so that callers can be deployed in
 * between (a whole number of at least 0); at most two are live at once. The new one works at once, in every process; one that this ends before
 * its time is refused from now on in this process, and within a second in others. Source: BEHAVIOUR, "Authentication", rotation.
 */
export function rotateSecret(
  ports: Pick<Ports, "apps" | "clock" | "digest" | "random">,
  appId: string,
  overlap: number,
): ResultAsync<AppWithSecret, InputFailure | FailureOf<"credentials.invalid" | "storage.unavailable">> {
  return steps(async function* () {
    yield* parseInput(rotateSecretInput(), { overlap });
    const now = ports.clock.now();
    const appSecret = newAppSecret(ports);
    const secret = { hash: ports.digest.sha256(appSecret), gmtCreate: now };
    const app = yield* ports.apps.addSecret(appId, secret, now + overlap);
    return app === undefined ? fail("credentials.invalid") : ok({ app, appSecret });
  });
}
