import {
  type DownloadsClient,
  type DownloadsClientStore,
  type DownloadsClientTerms,
  unknownApp,
} from "@tillkit/core/ports";
import { err, ok } from "neverthrow";
import { auditChange, type AuditState } from "../audit/audit-log.js";
import { frozen } from "../state/frozen.js";
import { compareText, type MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

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
    change: (clientId, previous, next, audit) =>
      runAtomically(() => {
        const stored = clients.get(clientId);
        if (stored === undefined || !hasTerms(stored, previous)) return stored;
        const changed = withTerms(stored, next);
        auditChange(state, audit);
        clients.set(clientId, changed);
        return changed;
      }),
    succeed: (clientId, previous, endsAt, successor, audit) =>
      runAtomically(() => {
        const stored = clients.get(clientId);
        if (stored === undefined || !hasTerms(stored, previous) || clients.has(successor.clientId))
          return false;
        auditChange(state, audit);
        clients.set(clientId, withTerms(stored, { ...stored, endsAt }));
        clients.set(successor.clientId, frozen(successor));
        return true;
      }),
    find: (clientId) => runAtomically(() => clients.get(clientId)),
    getCached: (clientId) => clients.get(clientId),
    list: () =>
      runAtomically(() =>
        [...clients.values()].sort((left, right) => compareText(left.clientId, right.clientId)),
      ),
  };
}

function hasTerms(stored: DownloadsClient, { dailyLimit, endsAt }: DownloadsClientTerms): boolean {
  return stored.dailyLimit === dailyLimit && stored.endsAt === endsAt;
}

function withTerms(
  { clientId, appId, gmtCreate }: DownloadsClient,
  { dailyLimit, endsAt }: DownloadsClientTerms,
): DownloadsClient {
  return frozen({
    clientId,
    appId,
    dailyLimit,
    gmtCreate,
    ...(endsAt === undefined ? {} : { endsAt }),
  });
}
