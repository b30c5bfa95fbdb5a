import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import { auditEntryIfAny, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { type InputFailure, naturalNumber, lazySchema, parseInput } from "../shared/input.js";
import { LONGEST_OVERLAP } from "../shared/limits.js";
import { attempt } from "../shared/attempt.js";
import { type AppWithSecret, newAppSecret } from "./create-app.js";

const rotateSecretInput = lazySchema(() => z.object({ overlap: naturalNumber(LONGEST_OVERLAP) }));

/**
 * Generates a new secret for an app. It works at once in every process.
 *
 * The previous secret works for another `overlap` milliseconds. In this time, you deploy the new
 * secret to the callers. Older secrets end now: at once in this process, and within a second in
 * others. Fails with `credentials.invalid` if the app does not exist.
 *
 * @param overlap - milliseconds, a whole number from 0 to 366 days.
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the app, and the new secret in clear text. Fails with `parameter.invalid` if `overlap`
 *   is out of range.
 * @example
 * ```ts
 * import { rotateSecret } from "@tillkit/core/operators";
 *
 * const DAY = 24 * 60 * 60 * 1000;
 * const rotated = await rotateSecret(ports, appId, 7 * DAY);
 * if (rotated.isErr()) throw new Error(rotated.error.name);
 * const { appSecret } = rotated.value;
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/app-credentials.md |
 *   App secrets are hashes, and reads are cached for one second}
 */
export function rotateSecret(
  ports: Pick<Ports, "apps" | "clock" | "digest" | "random">,
  appId: string,
  overlap: number,
  by?: OperatorCommand,
): ResultAsync<AppWithSecret, InputFailure | FailureOf<"credentials.invalid" | StorageFailureName>> {
  return attempt(async () => {
    const parsed = parseInput(rotateSecretInput(), { overlap });
    if (parsed.isErr()) return parsed;
    const now = ports.clock.now();
    const appSecret = newAppSecret(ports);
    const secret = { hash: ports.digest.sha256(appSecret), gmtCreate: now };
    const detail = JSON.stringify({ overlap });
    const facts = { action: "app.rotate-secret", subject: `app:${appId}`, appId, detail } as const;
    const audit = auditEntryIfAny(ports, by, facts);
    const app = await ports.apps.addSecret(appId, secret, now + overlap, audit);
    if (app.isErr()) return app;
    return app.value === undefined ? fail("credentials.invalid") : ok({ app: app.value, appSecret });
  });
}
