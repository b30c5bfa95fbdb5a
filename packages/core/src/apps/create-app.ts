import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import { auditEntryIfAny, type AuditFacts, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { type InputFailure, nonBlankText, lazySchema, parseInput } from "../shared/input.js";
import { newSecret, newShortId } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import type { App, IdentityChecks } from "./app.js";

/** The settings of a new app. */
export interface CreateAppInput {
  /** 1 to 64 characters. */
  readonly name: string;
  /** Defaults to `true`. */
  readonly accountBased?: boolean;
  /** Every check is enabled by default. */
  readonly identityChecks?: Partial<IdentityChecks>;
}

/** Returns the members of the schema of a new app. */
export function createAppShape() {
  return {
    name: nonBlankText(64),
    accountBased: z.boolean().default(true),
    identityChecks: z
      .object({
        email: check(),
        phone: check(),
        card: check(),
        identityCard: check(),
        walletAccount: check(),
        bizNo: check(),
      })
      .prefault({}),
  };
}

function check() {
  return z.boolean().default(true);
}

const createAppInput = lazySchema(() => z.object(createAppShape()));

/** An app with its secret in clear text. Only `createApp` and `rotateSecret` return the secret. */
export interface AppWithSecret {
  readonly app: App;
  /** `sk_` followed by 256 random bits. Only its hash is stored, so it cannot be shown again. */
  readonly appSecret: string;
}

/**
 * Registers an app and generates its first secret.
 *
 * Each call creates another app: a retry after a failure may leave an unused app behind.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the app, and its secret in clear text. Tillkit stores only the hash of the secret.
 * @example
 * ```ts
 * import { createApp } from "@tillkit/core";
 *
 * const created = await createApp(ports, { name: "Demo shop" });
 * if (created.isErr()) throw new Error(created.error.name);
 * const { app, appSecret } = created.value;
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/app-credentials.md |
 *   App secrets are hashes, and reads are cached for one second}
 */
export function createApp(
  ports: Pick<Ports, "apps" | "clock" | "digest" | "random">,
  input: CreateAppInput,
  by?: OperatorCommand,
): ResultAsync<AppWithSecret, InputFailure | StorageFailure> {
  return attempt(async () => {
    const parameters = parseInput(createAppInput(), { ...input });
    if (parameters.isErr()) return parameters;
    const now = ports.clock.now();
    const appSecret = newAppSecret(ports);
    const record = {
      ...parameters.value,
      disabled: false,
      secrets: [{ hash: ports.digest.sha256(appSecret), gmtCreate: now }],
      gmtCreate: now,
      gmtModified: now,
    } as const;
    for (;;) {
      const draft = { ...record, appId: `app_${newShortId(ports)}` };
      const app = await ports.apps.insertOnce(draft, auditEntryIfAny(ports, by, creationFacts(draft)));
      if (app.isErr()) return app;
      // Another call in the same millisecond may have stored an app with the same id.
      if (app.value.secrets[0]?.hash === record.secrets[0].hash) return ok({ app: app.value, appSecret });
    }
  });
}

/** Returns the facts of the audit entry of a new app. */
export function creationFacts({ appId, name, accountBased, identityChecks }: App): AuditFacts {
  const detail = JSON.stringify({ name, accountBased, identityChecks });
  return { action: "app.create", subject: `app:${appId}`, appId, detail };
}

/** Generates an `APP_SECRET`. */
export function newAppSecret(ports: Pick<Ports, "random">): string {
  return `sk_${newSecret(ports.random)}`;
}
