import type {
  App,
  AppStore,
  DownloadsClient,
  DownloadsClientStore,
  PayChannel,
  PayToolStore,
  WalletAccount,
} from "@tillkit/core";
import { remembered } from "./remembered.js";

/**
 * Adds a cache of apps to `store`.
 *
 * @param now A monotonic clock in milliseconds. Defaults to `performance.now`.
 */
export function rememberingAppStore(store: Omit<AppStore, "recall">, now?: () => number): AppStore {
  const memory = remembered<App>(now);
  return {
    ...store,
    find: (appId) => memory.find(appId, () => store.find(appId)),
    recall: (appId) => memory.recall(appId),
    addSecret: (...given) => memory.change(() => store.addSecret(...given)),
    setDisabled: (...given) => memory.change(() => store.setDisabled(...given)),
  };
}

/** Adds a cache of pay tools to `store`, including their decrypted credentials. */
export function rememberingPayToolStore(
  store: Omit<PayToolStore, "recall" | "recallCurrent">,
  now?: () => number,
): PayToolStore {
  const memory = remembered<WalletAccount>(now);
  const currentOf = (appId: string, payChannel: PayChannel) => `current ${payChannel} ${appId}`;
  const called = (id: string) => `id ${id}`;
  return {
    ...store,
    put: (account) => memory.change(() => store.put(account)),
    current: (appId, payChannel) =>
      memory.find(currentOf(appId, payChannel), () => store.current(appId, payChannel)),
    recallCurrent: (appId, payChannel) => memory.recall(currentOf(appId, payChannel)),
    find: (id) => memory.find(called(id), () => store.find(id)),
    recall: (id) => memory.recall(called(id)),
  };
}

/** Adds a cache of downloads clients to `store`. */
export function rememberingDownloadsClientStore(
  store: Omit<DownloadsClientStore, "recall">,
  now?: () => number,
): DownloadsClientStore {
  const memory = remembered<DownloadsClient>(now);
  return {
    ...store,
    find: (clientId) => memory.find(clientId, () => store.find(clientId)),
    recall: (clientId) => memory.recall(clientId),
  };
}
