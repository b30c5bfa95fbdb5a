import { err, ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { equalInConstantTime } from "../shared/digest.js";
import { guarded } from "../shared/guarded.js";
import type { App, AppSecret } from "./app.js";
import { findApp } from "./find-app.js";

/** What a caller shows: the `APP_ID` and `APP_SECRET` headers. */
export interface Credentials {
  readonly appId: string | undefined;
  readonly appSecret: string | undefined;
}

// Compared where an app has fewer than two secrets, so that an unknown app costs what a known one costs.
const NO_SECRET: AppSecret = { hash: "0".repeat(64), gmtCreate: 0, expiresAt: 0 };

/**
 * The app that owns `credentials`. An unknown app, a disabled one and a wrong secret are one failure and the same work. A new secret works at
 * once; that one was ended, or the app disabled, by another process takes hold within a second.
 * Source: payments spec, "Authentication"; BEHAVIOUR, "Authentication".
 */
export function authenticateCaller(
  ports: Pick<Ports, "apps" | "clock" | "digest">,
  { appId, appSecret }: Credentials,
): ResultAsync<App, FailureOf<"credentials.missing" | "credentials.invalid" | "storage.unavailable">> {
  return guarded(async () => {
    if (!appId || !appSecret) return fail("credentials.missing");
    const hash = ports.digest.sha256(appSecret);
    const opened = await findApp(ports, appId, (known): known is App =>
      opensApp(known, hash, ports.clock.now()),
    );
    if (opened.isErr()) return err(opened.error);
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
