import { type App, orThrow, type WalletAccount } from "@tillkit/core";
import type { AppStore, DownloadsClient, DownloadsClientStore, PayToolStore } from "@tillkit/core/ports";
import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it, vi } from "vitest";
import { cachingAppStore, cachingDownloadsClientStore, cachingPayToolStore } from "./caching-stores.js";

const unavailable = () => errAsync({ name: "storage.unavailable" } as const);
const app: App = {
  appId: "app_1",
  name: "Demo",
  accountBased: true,
  disabled: false,
  gmtCreate: 0,
  gmtModified: 0,
  identityChecks: {
    email: true,
    phone: true,
    card: true,
    identityCard: true,
    walletAccount: true,
    bizNo: true,
  },
  secrets: [],
};
const account: WalletAccount = {
  id: "tool-1",
  appId: "app_1",
  accountId: "1",
  walletAppId: "2",
  gmtCreate: 0,
  gmtModified: 0,
  payChannel: "WALLET_A",
  signStatus: "OK",
  appEnv: "DEV",
  appName: "",
  appPackageName: "",
  appSignature: "",
  credentials: {},
};
const client: DownloadsClient = { clientId: "client-1", appId: "app_1", dailyLimit: 1, gmtCreate: 0 };

describe("cachingAppStore", () => {
  const aStore = () =>
    cachingAppStore(
      {
        insertOnce: unavailable,
        list: unavailable,
        find: (appId) => okAsync(appId === app.appId ? app : undefined),
        addSecret: () => okAsync(app),
        setDisabled: () => okAsync(app),
        setRules: () => okAsync(app),
      },
      () => 0,
    );

  it("returns a cached value after a look-up", async () => {
    const store = aStore();
    expect(store.getCached("app_1")).toBeUndefined();
    expect(await orThrow(store.find("app_1"))).toBe(app);
    expect(store.getCached("app_1")).toBe(app);
  });

  it.each<[string, (store: AppStore) => ReturnType<AppStore["addSecret"]>]>([
    ["addSecret", (store) => store.addSecret("app_1", { hash: "h", gmtCreate: 1 }, 2)],
    ["setDisabled", (store) => store.setDisabled("app_1", true, 1)],
    ["setRules", (store) => store.setRules("app_1", { accountBased: false }, 1)],
  ])("returns no cached value from the beginning of %s until the next look-up", async (_verb, change) => {
    const store = aStore();
    await store.find("app_1");
    const changing = change(store);
    expect(store.getCached("app_1")).toBeUndefined();
    expect(await orThrow(changing)).toBe(app);
    expect(store.getCached("app_1")).toBeUndefined();
    await store.find("app_1");
    expect(store.getCached("app_1")).toBe(app);
  });
});

describe("cachingPayToolStore", () => {
  const aStore = (): PayToolStore =>
    cachingPayToolStore(
      {
        put: () => okAsync(account),
        replace: () => okAsync(true),
        current: (appId, payChannel) =>
          okAsync(appId === "app_1" && payChannel === "WALLET_A" ? account : undefined),
        find: (id) => okAsync(id === account.id ? account : undefined),
        list: unavailable,
        listAll: unavailable,
      },
      () => 0,
    );

  it("caches the current pay tool of a channel, and a pay tool by its id, separately", async () => {
    const store = aStore();
    await store.current("app_1", "WALLET_A");
    expect(store.getCachedCurrent("app_1", "WALLET_A")).toBe(account);
    for (const [appId, payChannel] of [
      ["app_1", "WALLET_B"],
      ["app_2", "WALLET_A"],
    ] as const)
      expect(store.getCachedCurrent(appId, payChannel)).toBeUndefined();
    expect(store.getCached(account.id)).toBeUndefined();
    await store.find(account.id);
    expect(store.getCached(account.id)).toBe(account);
  });

  it.each<[string, (store: PayToolStore) => Promise<unknown>]>([
    ["put", async (store) => store.put(account)],
    ["replace", async (store) => store.replace(account, account)],
  ])("returns no cached value from the beginning of %s until the next look-up", async (_verb, change) => {
    const store = aStore();
    const cached = () => [store.getCachedCurrent("app_1", "WALLET_A"), store.getCached(account.id)];
    await store.current("app_1", "WALLET_A");
    await store.find(account.id);
    expect(cached()).toEqual([account, account]);
    const changing = change(store);
    expect(cached()).toEqual([undefined, undefined]);
    await changing;
    expect(cached()).toEqual([undefined, undefined]);
  });
});

describe("cachingDownloadsClientStore", () => {
  it.each<[string, (store: DownloadsClientStore) => Promise<unknown>]>([
    ["change", async (store) => store.change("client-1", client, { dailyLimit: 2 })],
    ["succeed", async (store) => store.succeed("client-1", client, 1, { ...client, clientId: "client-2" })],
  ])("returns no cached value from the beginning of %s until the next look-up", async (_verb, change) => {
    const others = { change: () => okAsync(client), succeed: () => okAsync(true), list: unavailable };
    const find = () => okAsync(client);
    const store = cachingDownloadsClientStore({ ...others, insertOnce: unavailable, find }, () => 0);
    await store.find("client-1");
    expect(store.getCached("client-1")).toBe(client);
    const changing = change(store);
    expect(store.getCached("client-1")).toBeUndefined();
    await changing;
    expect(store.getCached("client-1")).toBeUndefined();
    await store.find("client-1");
    expect(store.getCached("client-1")).toBe(client);
  });

  it("returns a cached value for one second of the machine's clock", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const find = () => okAsync(client);
    const others = { insertOnce: unavailable, change: unavailable, succeed: unavailable, list: unavailable };
    const store = cachingDownloadsClientStore({ ...others, find });
    await store.find("client-1");
    expect(store.getCached("client-1")).toBe(client);
    vi.advanceTimersByTime(1_001);
    expect(store.getCached("client-1")).toBeUndefined();
    vi.useRealTimers();
  });
});
