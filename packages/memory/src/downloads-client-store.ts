import { type DownloadsClientStore, unknownApp } from "@tillkit/core";
import { err, ok } from "neverthrow";
import { frozen } from "./frozen.js";
import { byText, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

/** Creates a `DownloadsClientStore` in memory. */
export function memoryDownloadsClientStore({
  apps,
  downloadsClients: clients,
}: Pick<MemoryState, "apps" | "downloadsClients">): DownloadsClientStore {
  return {
    insertOnce: (client) =>
      step(() => {
        const held = clients.get(client.clientId);
        if (held !== undefined || !apps.has(client.appId)) return held;
        const made = frozen(client);
        clients.set(client.clientId, made);
        return made;
      }).andThen((kept) => (kept === undefined ? err(unknownApp(client.appId)) : ok(kept))),
    find: (clientId) => step(() => clients.get(clientId)),
    recall: (clientId) => clients.get(clientId),
    list: () =>
      step(() => [...clients.values()].sort((left, right) => byText(left.clientId, right.clientId))),
  };
}
