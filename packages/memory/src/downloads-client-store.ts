import type { DownloadsClientStore } from "@tillkit/core";
import { frozen } from "./frozen.js";
import { byText, heldOr, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

/** `DownloadsClientStore` in memory. */
export function memoryDownloadsClientStore({
  downloadsClients: clients,
}: Pick<MemoryState, "downloadsClients">): DownloadsClientStore {
  return {
    insertOnce: (client) => step(() => heldOr(clients, client.clientId, () => frozen(client))),
    find: (clientId) => step(() => clients.get(clientId)),
    recall: (clientId) => clients.get(clientId),
    list: () =>
      step(() => [...clients.values()].sort((left, right) => byText(left.clientId, right.clientId))),
  };
}
