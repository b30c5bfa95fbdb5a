import type { App, AppSecret, AppStore } from "@tillkit/core";
import { frozen } from "./frozen.js";
import { compareText, getOrCreate, type MemoryState } from "./memory-state.js";
import { runAtomically } from "./run-atomically.js";

/** Creates an `AppStore` in memory. */
export function memoryAppStore(state: Pick<MemoryState, "apps">): AppStore {
  const { apps } = state;
  const change = (appId: string, changed: (app: App) => App) =>
    runAtomically(() => {
      const app = apps.get(appId);
      if (app === undefined) return undefined;
      const after = frozen(changed(app));
      apps.set(appId, after);
      return after;
    });
  return {
    insertOnce: (app) => runAtomically(() => getOrCreate(apps, app.appId, () => frozen(app))),
    find: (appId) => runAtomically(() => apps.get(appId)),
    getCached: (appId) => apps.get(appId),
    list: () =>
      runAtomically(() => [...apps.values()].sort((left, right) => compareText(left.appId, right.appId))),
    addSecret: (appId, secret, previousEndsAt) =>
      change(appId, (app) => ({
        ...app,
        secrets: [secret, ...app.secrets.slice(0, 1).map((previous) => ending(previous, previousEndsAt))],
        gmtModified: secret.gmtCreate,
      })),
    setRules: (appId, { accountBased, identityChecks }, at) =>
      change(appId, (app) => ({
        ...app,
        accountBased: accountBased ?? app.accountBased,
        identityChecks: { ...app.identityChecks, ...identityChecks },
        gmtModified: at,
      })),
    setDisabled: (appId, disabled, at) => change(appId, (app) => ({ ...app, disabled, gmtModified: at })),
  };
}

function ending(secret: AppSecret, endsAt: number): AppSecret {
  return { ...secret, expiresAt: Math.min(secret.expiresAt ?? endsAt, endsAt) };
}
