import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import type { App } from "./app.js";
import { findApp } from "./find-app.js";

/** The app called `appId` if it may act now; the answer for an unknown and a disabled one is the same. */
export function activeApp(
  ports: Pick<Ports, "apps">,
  appId: string,
): ResultAsync<App, FailureOf<"credentials.invalid" | "storage.unavailable">> {
  return findApp(ports, appId, (app): app is App => app?.disabled === false).andThen((app) =>
    app === undefined ? fail("credentials.invalid") : ok(app),
  );
}
