import type { App, AppSecret, AppStore } from "@tillkit/core";
import { frozen } from "./frozen.js";
import { byText, heldOr, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

/** Creates an `AppStore` in memory. */
export function memoryAppStore(state: Pick<MemoryState, "apps">): AppStore {
  const { apps } = state;
  const change = (appId: string, changed: (app: App) => App) =>
    step(() => {
      const app = apps.get(appId);
      if (app === undefined) return undefined;
      const after = frozen(changed(app));
      apps.set(appId, after);
      return after;
    });
  return {
    insertOnce: (app) => step(() => heldOr(apps, app.appId, () => frozen(app))),
    find: (appId) => step(() => apps.get(appId)),
    recall: (appId) => apps.get(appId),
    list: () => step(() => [...apps.values()].sort((left, right) => byText(left.appId, right.appId))),
    addSecret: (appId, secret, previousEndsAt) =>
      change(appId, (app) => ({
        ...app,
        secrets: [secret, ...app.secrets.slice(0, 1).map((previous) => ending(previous, previousEndsAt))],
        gmtModified: secret.gmtCreate,
      })),
    setDisabled: (appId, disabled, at) => change(appId, (app) => ({ ...app, disabled, gmtModified: at })),
  };
}

function ending(secret: AppSecret, endsAt: number): AppSecret {
  return { ...secret, expiresAt: Math.min(secret.expiresAt ?? endsAt, endsAt) };
}
