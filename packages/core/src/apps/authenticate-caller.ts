import { ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { equalInConstantTime } from "../shared/digest.js";
import { attempt } from "../shared/attempt.js";
import type { App, AppSecret } from "./app.js";
import { findApp, loadApp } from "./find-app.js";

/** The values of the `APP_ID` and `APP_SECRET` headers. */
export interface Credentials {
  readonly appId: string | undefined;
  readonly appSecret: string | undefined;
}

// Dummy for an app with fewer than two secrets, so that an unknown app takes the same time.
const NO_SECRET: AppSecret = { hash: "0".repeat(64), gmtCreate: 0, expiresAt: 0 };

/**
 * Credentials from a request, with the hash of the secret in place of the secret.
 *
 * The hash is computed once per request.
 */
export interface PresentedCredentials {
  readonly appId: string;
  /** SHA-256 of the secret. */
  readonly secretHash: string;
}

/** Hashes the secret of `credentials`. Fails if the id or the secret is absent or empty. */
export function presentedCredentials(
  { digest }: Pick<Ports, "digest">,
  { appId, appSecret }: Credentials,
): Result<PresentedCredentials, FailureOf<"credentials.missing">> {
  if (!appId || !appSecret) return fail("credentials.missing");
  return ok({ appId, secretHash: digest.sha256(appSecret) });
}

/**
 * Returns the app that owns `credentials`.
 *
 * An unknown app, a disabled app and a wrong secret fail with the same `credentials.invalid`, after
 * the same work. A new secret works at once in every process. If another process ends a secret or
 * disables the app, this takes effect within a second.
 *
 * @returns the app. Fails with `credentials.missing` if the id or the secret is absent or empty.
 * @example
 * ```ts
 * import { authenticateCaller } from "@tillkit/core";
 *
 * const caller = await authenticateCaller(ports, { appId: "app_1", appSecret: "the secret" });
 * const isAllowed = caller.isOk();
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/app-credentials.md |
 *   App secrets are hashes, and reads are cached for one second}
 */
export function authenticateCaller(
  ports: Pick<Ports, "apps" | "clock" | "digest">,
  credentials: Credentials,
): ResultAsync<App, FailureOf<"credentials.missing" | "credentials.invalid" | StorageFailureName>> {
  return attempt(async () => {
    const caller = presentedCredentials(ports, credentials);
    if (caller.isErr()) return caller;
    const { appId, secretHash } = caller.value;
    const app = await findApp(ports, appId, (candidate): candidate is App =>
      opensApp(candidate, secretHash, ports.clock.now()),
    );
    if (app.isErr()) return app;
    return app.value === undefined ? fail("credentials.invalid") : ok(app.value);
  });
}

/**
 * Returns the app that owns the credentials, if it is in the store's cache.
 *
 * Does not query storage. `undefined` does not mean that the credentials are wrong.
 */
export function getCachedCaller(
  { apps, clock }: Pick<Ports, "apps" | "clock">,
  { appId, secretHash }: PresentedCredentials,
): App | undefined {
  const app = apps.getCached(appId);
  return opensApp(app, secretHash, clock.now()) ? app : undefined;
}

/** Like {@link authenticateCaller}, but always queries storage. */
export function loadCaller(
  ports: Pick<Ports, "apps" | "clock">,
  { appId, secretHash }: PresentedCredentials,
): ResultAsync<App, FailureOf<"credentials.invalid" | StorageFailureName>> {
  return attempt(async () => {
    const app = await loadApp(ports, appId, (candidate): candidate is App =>
      opensApp(candidate, secretHash, ports.clock.now()),
    );
    if (app.isErr()) return app;
    return app.value === undefined ? fail("credentials.invalid") : ok(app.value);
  });
}

function opensApp(app: App | undefined, hash: string, now: number): app is App {
  const [newest = NO_SECRET, previous = NO_SECRET] = app?.secrets ?? [];
  // Both secrets are compared, so that the time does not depend on which of them is right.
  const opensNewest = opens(newest, hash, now);
  const opensPrevious = opens(previous, hash, now);
  return app !== undefined && !app.disabled && (opensNewest || opensPrevious);
}

function opens(secret: AppSecret, hash: string, now: number): boolean {
  const equal = equalInConstantTime(secret.hash, hash);
  return equal && (secret.expiresAt === undefined || now < secret.expiresAt);
}
