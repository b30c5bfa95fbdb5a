import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import { auditEntryIfAny, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { type InputFailure, issue, lazySchema, parseInput, singleLineText } from "../shared/input.js";
import type { App } from "./app.js";
import { type CreateAppInput, createAppShape, creationFacts } from "./create-app.js";

/** An app with this id exists already. Nothing was changed. */
export interface AppExistsFailure {
  readonly name: "app.exists";
  readonly appId: string;
}

/** Settings of an app that moves from another service with its credentials. */
export interface RegisterAppInput extends CreateAppInput {
  /** The existing `APP_ID`: 1 to 64 visible ASCII characters. */
  readonly appId: string;
  /** The existing `APP_SECRET`: 8 to 512 visible ASCII characters. Only its hash is stored. */
  readonly appSecret: string;
}

const registerAppInput = lazySchema(() =>
  z.object({
    ...createAppShape(),
    appId: singleLineText(64).regex(/^[\x21-\x7e]*$/, issue("visible-ascii")),
    appSecret: z.string(issue("text")).regex(/^[\x21-\x7e]{8,512}$/, issue("app-secret")),
  }),
);

/**
 * Registers an app that keeps the id and the secret of another service.
 *
 * `rotateSecret` replaces the secret later, with an overlap.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the app. Fails with `app.exists` if the id is taken: nothing is changed, also if the
 *   secret is the same.
 * @example
 * ```ts
 * import { registerApp } from "@tillkit/core";
 *
 * const credentials = { appId: "10086", appSecret: "the-secret-of-the-old-service" };
 * const registered = await registerApp(ports, { ...credentials, name: "Notes" });
 * ```
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/moving-an-existing-service.md |
 *   An app keeps its credentials, and old records are imported}
 */
export function registerApp(
  ports: Pick<Ports, "apps" | "clock" | "digest" | "random">,
  input: RegisterAppInput,
  by?: OperatorCommand,
): ResultAsync<App, InputFailure | AppExistsFailure | StorageFailure> {
  return attempt(async () => {
    const parsed = parseInput(registerAppInput(), { ...input });
    if (parsed.isErr()) return parsed;
    const { appSecret, ...settings } = parsed.value;
    const existing = await ports.apps.find(settings.appId);
    if (existing.isErr()) return existing;
    if (existing.value !== undefined) return err(appExists(settings.appId));
    const now = ports.clock.now();
    const app: App = {
      ...settings,
      disabled: false,
      secrets: [{ hash: ports.digest.sha256(appSecret), gmtCreate: now }],
      gmtCreate: now,
      gmtModified: now,
    };
    const registration = await ports.apps.insertOnce(app, auditEntryIfAny(ports, by, creationFacts(app)));
    if (registration.isErr()) return registration;
    // Of two concurrent calls, one sees the app of the other. Equal apps are the same registration.
    return isSame(registration.value, app) ? ok(registration.value) : err(appExists(app.appId));
  });
}

function appExists(appId: string): AppExistsFailure {
  return { name: "app.exists", appId };
}

function isSame(left: App, right: App): boolean {
  return (
    left.name === right.name &&
    left.accountBased === right.accountBased &&
    left.gmtCreate === right.gmtCreate &&
    left.secrets[0]?.hash === right.secrets[0]?.hash
  );
}
