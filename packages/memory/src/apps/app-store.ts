import type { App } from "@tillkit/core";
import type { AppSecret, AppStore, AuditEntry } from "@tillkit/core/ports";
import { auditChange, type AuditState } from "../audit/audit-log.js";
import { frozen } from "../state/frozen.js";
import { compareText, getOrCreate, type MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates an `AppStore` in memory. */
export function memoryAppStore(state: Pick<MemoryState, "apps"> & AuditState): AppStore {
  const { apps } = state;
  const change = (
    appId: string,
    audit: AuditEntry | undefined,
    changed: (app: App) => App,
    replaced?: (app: App) => object,
  ) =>
    runAtomically(() => {
      const app = apps.get(appId);
      if (app === undefined) return undefined;
      const after = frozen(changed(app));
      auditChange(state, audit, replaced?.(app));
      apps.set(appId, after);
      return after;
    });
  return {
    insertOnce: (app, audit) =>
      runAtomically(() =>
        getOrCreate(apps, app.appId, () => {
          auditChange(state, audit);
          return frozen(app);
        }),
      ),
    find: (appId) => runAtomically(() => apps.get(appId)),
    getCached: (appId) => apps.get(appId),
    list: () =>
      runAtomically(() => [...apps.values()].sort((left, right) => compareText(left.appId, right.appId))),
    addSecret: (appId, secret, previousEndsAt, audit) =>
      change(appId, audit, (app) => ({
        ...app,
        secrets: [secret, ...app.secrets.slice(0, 1).map((previous) => ending(previous, previousEndsAt))],
        gmtModified: secret.gmtCreate,
      })),
    setRules: (appId, { accountBased, identityChecks }, at, audit) =>
      change(
        appId,
        audit,
        (app) => ({
          ...app,
          accountBased: accountBased ?? app.accountBased,
          identityChecks: { ...app.identityChecks, ...identityChecks },
          gmtModified: at,
        }),
        (app) => ({ accountBased: app.accountBased, identityChecks: app.identityChecks }),
      ),
    setDisabled: (appId, disabled, at, audit) =>
      change(appId, audit, (app) => ({ ...app, disabled, gmtModified: at })),
  };
}

function ending(secret: AppSecret, endsAt: number): AppSecret {
  return { ...secret, expiresAt: Math.min(secret.expiresAt ?? endsAt, endsAt) };
}
