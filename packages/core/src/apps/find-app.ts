import { ok, okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import type { App } from "./app.js";

/**
 * Returns the app with this id if `grants` accepts it. Uses the store's cache.
 *
 * If `grants` rejects the cached app, the app is read from storage. So a refusal never depends on
 * the cache. Every refusal calls `grants` twice, also for an unknown app, so that all refusals take
 * the same time.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/app-credentials.md |
 *   App secrets are hashes, and reads are cached for one second}
 */
export function findApp(
  ports: Pick<Ports, "apps">,
  appId: string,
  grants: (app: App | undefined) => app is App,
): ResultAsync<App | undefined, StorageFailure> {
  const cached = ports.apps.getCached(appId);
  if (grants(cached)) return okAsync(cached);
  return loadApp(ports, appId, grants);
}

/** Returns the app with this id from storage, if `grants` accepts it. */
export function loadApp(
  { apps }: Pick<Ports, "apps">,
  appId: string,
  grants: (app: App | undefined) => app is App,
): ResultAsync<App | undefined, StorageFailure> {
  return apps.find(appId).andThen((candidate) => ok(grants(candidate) ? candidate : undefined));
}
