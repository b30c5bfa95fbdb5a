import { type DownloadsClientStore, unknownApp } from "@tillkit/core";
import { err, ok } from "neverthrow";
import { auditChange, type AuditState } from "./audit-log.js";
import { frozen } from "./frozen.js";
import { compareText, type MemoryState } from "./memory-state.js";
import { runAtomically } from "./run-atomically.js";

/** Creates a `DownloadsClientStore` in memory. */
export function memoryDownloadsClientStore(
  state: Pick<MemoryState, "apps" | "downloadsClients"> & AuditState,
): DownloadsClientStore {
  const { apps, downloadsClients: clients } = state;
  return {
    insertOnce: (client, audit) =>
      runAtomically(() => {
        const stored = clients.get(client.clientId);
        if (stored !== undefined || !apps.has(client.appId)) return stored;
        const made = frozen(client);
        auditChange(state, audit);
        clients.set(client.clientId, made);
        return made;
      }).andThen((kept) => (kept === undefined ? err(unknownApp(client.appId)) : ok(kept))),
    setDailyLimit: (clientId, previous, dailyLimit, audit) =>
      runAtomically(() => {
        const stored = clients.get(clientId);
        if (stored?.dailyLimit !== previous) return stored;
        const changed = frozen({ ...stored, dailyLimit });
        auditChange(state, audit);
        clients.set(clientId, changed);
        return changed;
      }),
    find: (clientId) => runAtomically(() => clients.get(clientId)),
    getCached: (clientId) => clients.get(clientId),
    list: () =>
      runAtomically(() =>
        [...clients.values()].sort((left, right) => compareText(left.clientId, right.clientId)),
      ),
  };
}
