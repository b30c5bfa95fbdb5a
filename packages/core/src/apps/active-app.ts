import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import type { App } from "./app.js";
import { findApp } from "./find-app.js";

/**
 * Returns the app if it is registered and enabled.
 *
 * An unknown and a disabled app fail with the same `credentials.invalid`, whose `detail` names the
 * id.
 */
export function activeApp(
  ports: Pick<Ports, "apps">,
  appId: string,
): ResultAsync<App, FailureOf<"credentials.invalid" | StorageFailureName>> {
  return findApp(ports, appId, (app): app is App => app?.disabled === false).andThen((app) =>
    app === undefined
      ? fail("credentials.invalid", { detail: `No enabled app has the id '${appId}'.` })
      : ok(app),
  );
}
