import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { equalInConstantTime } from "../shared/digest.js";
import { steps } from "../shared/steps.js";
import type { App, AppSecret } from "./app.js";

/** What a caller shows: the `APP_ID` and `APP_SECRET` headers. */
export interface Credentials {
  readonly appId: string | undefined;
  readonly appSecret: string | undefined;
}

// Compared where an app has fewer than two secrets, so that an unknown app costs what a known one costs.
const NO_SECRET: AppSecret = { hash: "0".repeat(64), gmtCreate: 0, expiresAt: 0 };

/**
 * The app that owns `credentials`. An unknown app, a disabled one and a wrong secret are one failure and the same work.
 * Source: payments spec, "Authentication"; BEHAVIOUR, "Authentication".
 */
export function authenticateCaller(
  ports: Pick<Ports, "apps" | "clock" | "digest">,
  { appId, appSecret }: Credentials,
): ResultAsync<App, FailureOf<"credentials.missing" | "credentials.invalid" | "storage.unavailable">> {
  return steps(async function* () {
    if (!appId || !appSecret) return fail("credentials.missing");
    const app = yield* ports.apps.find(appId);
    const hash = ports.digest.sha256(appSecret);
    const now = ports.clock.now();
    const [newest = NO_SECRET, previous = NO_SECRET] = app?.secrets ?? [];
    const accepted = [newest, previous].map((secret) => opens(secret, hash, now)).includes(true);
    if (app === undefined || app.disabled || !accepted) return fail("credentials.invalid");
    return ok(app);
  });
}

function opens(secret: AppSecret, hash: string, now: number): boolean {
  const equal = equalInConstantTime(secret.hash, hash);
  return equal && (secret.expiresAt === undefined || now < secret.expiresAt);
}
