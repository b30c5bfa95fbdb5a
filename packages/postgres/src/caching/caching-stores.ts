import type { App, PayChannel, WalletAccount } from "@tillkit/core";
import type { AppStore, DownloadsClient, DownloadsClientStore, PayToolStore } from "@tillkit/core/ports";
import { ttlCache } from "./ttl-cache.js";

/**
 * Adds a cache of apps to `store`.
 *
 * @param now A monotonic clock in milliseconds. Defaults to `performance.now`.
 */
export function cachingAppStore(store: Omit<AppStore, "getCached">, now?: () => number): AppStore {
  const memory = ttlCache<App>(now);
  return {
    ...store,
    find: (appId) => memory.find(appId, () => store.find(appId)),
    getCached: (appId) => memory.getCached(appId),
    addSecret: (...given) => memory.change(() => store.addSecret(...given)),
    setDisabled: (...given) => memory.change(() => store.setDisabled(...given)),
    setRules: (...given) => memory.change(() => store.setRules(...given)),
  };
}

/** Adds a cache of pay tools to `store`, including their decrypted credentials. */
export function cachingPayToolStore(
  store: Omit<PayToolStore, "getCached" | "getCachedCurrent">,
  now?: () => number,
): PayToolStore {
  const memory = ttlCache<WalletAccount>(now);
  const currentOf = (appId: string, payChannel: PayChannel) => `current ${payChannel} ${appId}`;
  const called = (id: string) => `id ${id}`;
  return {
    ...store,
    put: (...given) => memory.change(() => store.put(...given)),
    replace: (...given) => memory.change(() => store.replace(...given)),
    current: (appId, payChannel) =>
      memory.find(currentOf(appId, payChannel), () => store.current(appId, payChannel)),
    getCachedCurrent: (appId, payChannel) => memory.getCached(currentOf(appId, payChannel)),
    find: (id) => memory.find(called(id), () => store.find(id)),
    getCached: (id) => memory.getCached(called(id)),
  };
}

/** Adds a cache of downloads clients to `store`. */
export function cachingDownloadsClientStore(
  store: Omit<DownloadsClientStore, "getCached">,
  now?: () => number,
): DownloadsClientStore {
  const memory = ttlCache<DownloadsClient>(now);
  return {
    ...store,
    change: (...given) => memory.change(() => store.change(...given)),
    succeed: (...given) => memory.change(() => store.succeed(...given)),
    find: (clientId) => memory.find(clientId, () => store.find(clientId)),
    getCached: (clientId) => memory.getCached(clientId),
  };
}
