import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { App } from "./app.js";

/**
 * Locks the app out: every call with its credentials is refused, from now on in this process and within a second in others. What was begun
 * goes on: its wallets' notifications are taken, its orders settled and its refunds pursued. Source: BEHAVIOUR, "Authentication".
 */
export function disableApp(
  ports: Pick<Ports, "apps" | "clock">,
  appId: string,
): ResultAsync<App, FailureOf<"credentials.invalid" | "storage.unavailable">> {
  return setDisabled(ports, appId, true);
}

/** Lets a disabled app in again, with the secrets it had. */
export function enableApp(
  ports: Pick<Ports, "apps" | "clock">,
  appId: string,
): ResultAsync<App, FailureOf<"credentials.invalid" | "storage.unavailable">> {
  return setDisabled(ports, appId, false);
}

function setDisabled(ports: Pick<Ports, "apps" | "clock">, appId: string, disabled: boolean) {
  return attempt(async () => {
    const appResult = await ports.apps.setDisabled(appId, disabled, ports.clock.now());
    if (appResult.isErr()) return appResult;
    const app = appResult.value;
    return app === undefined ? fail("credentials.invalid") : ok(app);
  });
}
