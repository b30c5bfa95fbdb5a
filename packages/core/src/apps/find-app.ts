import { okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import type { App } from "./app.js";

/**
 * The app called `appId` if it `grants` what is asked. What the store recalls may grant, and then storage is not asked; a refusal never rests
 * on memory. `grants` is asked as often about an app that is not there, so that every refusal costs the same.
 */
export function findApp(
  ports: Pick<Ports, "apps">,
  appId: string,
  grants: (app: App | undefined) => app is App,
): ResultAsync<App | undefined, StorageFailure> {
  const recalled = ports.apps.recall(appId);
  if (grants(recalled)) return okAsync(recalled);
  return lookUpApp(ports, appId, grants);
}

/** The app called `appId` as storage has it, if it `grants` what is asked. */
export function lookUpApp(
  { apps }: Pick<Ports, "apps">,
  appId: string,
  grants: (app: App | undefined) => app is App,
): ResultAsync<App | undefined, StorageFailure> {
  return apps.find(appId).map((found) => (grants(found) ? found : undefined));
}
