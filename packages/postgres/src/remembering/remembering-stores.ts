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

/** `store`, which is asked over a network, with a memory of the apps it found in this process. `now` as for a monotonic clock, in milliseconds. */
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

/** `store`, with a memory of the pay tools it found in this process, credentials included. */
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

/** `store`, with a memory of the downloads clients it found in this process. */
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
