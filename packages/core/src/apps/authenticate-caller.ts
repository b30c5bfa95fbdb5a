import { ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { equalInConstantTime } from "../shared/digest.js";
import { attempt } from "../shared/attempt.js";
import type { App, AppSecret } from "./app.js";
import { findApp, lookUpApp } from "./find-app.js";

/** What a caller shows: the `APP_ID` and `APP_SECRET` headers. */
export interface Credentials {
  readonly appId: string | undefined;
  readonly appSecret: string | undefined;
}

// Compared where an app has fewer than two secrets, so that an unknown app costs what a known one costs.
const NO_SECRET: AppSecret = { hash: "0".repeat(64), gmtCreate: 0, expiresAt: 0 };

/**
 * Credentials that were read: the secret is replaced by its hash, which is computed once per
 * request.
 */
export interface PresentedCredentials {
  readonly appId: string;
  /** SHA-256 of the secret. */
  readonly secretHash: string;
}

/** Reads `credentials`. Fails if one of the two is absent or empty. */
export function presentedCredentials(
  { digest }: Pick<Ports, "digest">,
  { appId, appSecret }: Credentials,
): Result<PresentedCredentials, FailureOf<"credentials.missing">> {
  if (!appId || !appSecret) return fail("credentials.missing");
  return ok({ appId, secretHash: digest.sha256(appSecret) });
}

/**
 * The app that owns `credentials`. An unknown app, a disabled one and a wrong secret are one failure and the same work. A new secret works at
 * once; that one was ended, or the app disabled, by another process takes hold within a second.
 * Source: payments spec, "Authentication"; BEHAVIOUR, "Authentication".
 */
export function authenticateCaller(
  ports: Pick<Ports, "apps" | "clock" | "digest">,
  credentials: Credentials,
): ResultAsync<App, FailureOf<"credentials.missing" | "credentials.invalid" | "storage.unavailable">> {
  return attempt(async () => {
    const presented = presentedCredentials(ports, credentials);
    if (presented.isErr()) return presented;
    const { appId, secretHash } = presented.value;
    const opened = await findApp(ports, appId, (known): known is App =>
      opensApp(known, secretHash, ports.clock.now()),
    );
    if (opened.isErr()) return opened;
    return opened.value === undefined ? fail("credentials.invalid") : ok(opened.value);
  });
}

/**
 * The app that owns the credentials, if the store recalls it.
 *
 * Storage is not asked, so `undefined` proves nothing.
 */
export function recallCaller(
  { apps, clock }: Pick<Ports, "apps" | "clock">,
  { appId, secretHash }: PresentedCredentials,
): App | undefined {
  const app = apps.recall(appId);
  return opensApp(app, secretHash, clock.now()) ? app : undefined;
}

/** The app that owns the credentials, as storage has it. */
export function lookUpCaller(
  ports: Pick<Ports, "apps" | "clock">,
  { appId, secretHash }: PresentedCredentials,
): ResultAsync<App, FailureOf<"credentials.invalid" | "storage.unavailable">> {
  return attempt(async () => {
    const opened = await lookUpApp(ports, appId, (found): found is App =>
      opensApp(found, secretHash, ports.clock.now()),
    );
    if (opened.isErr()) return opened;
    return opened.value === undefined ? fail("credentials.invalid") : ok(opened.value);
  });
}

function opensApp(app: App | undefined, hash: string, now: number): app is App {
  const [newest = NO_SECRET, previous = NO_SECRET] = app?.secrets ?? [];
  const accepted = [newest, previous].map((secret) => opens(secret, hash, now)).includes(true);
  return app !== undefined && !app.disabled && accepted;
}

function opens(secret: AppSecret, hash: string, now: number): boolean {
  const equal = equalInConstantTime(secret.hash, hash);
  return equal && (secret.expiresAt === undefined || now < secret.expiresAt);
}
