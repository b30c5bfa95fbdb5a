import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import type { App } from "../apps/app.js";
import type { AppStore } from "../apps/app-store.js";
import { defaultPolicy } from "../policy.js";
import type { QuotaStore } from "../shared/quota-store.js";
import { EVERY_CHECK, stub } from "../testing/stubs.js";
import type { DownloadsClientStore } from "./downloads-client-store.js";
import type { DownloadsSource } from "./downloads-source.js";
import type { StoreCounts } from "./daily-count.js";
import { getDownloadsReport } from "./get-downloads-report.js";
import { orThrow } from "../errors/or-throw.js";

/** Creates ports whose storage returns `counts` for every range. */
function reporting(counts: readonly StoreCounts[]) {
  const client = { clientId: "reports", appId: "app_1", dailyLimit: 9, gmtCreate: 0 };
  const app: App = {
    appId: "app_1",
    name: "App",
    accountBased: true,
    identityChecks: EVERY_CHECK,
    disabled: false,
    secrets: [],
    gmtCreate: 0,
    gmtModified: 0,
  };
  let used = 0;
  const ports = {
    downloadsClients: stub<DownloadsClientStore>({ getCached: () => client }),
    apps: stub<AppStore>({ getCached: () => app, find: () => okAsync(app) }),
    quotas: stub<QuotaStore>({ take: () => okAsync({ granted: true, used: (used += 1) }) }),
    downloads: stub<DownloadsSource>({ read: () => okAsync(counts) }),
    clock: { now: () => 0, sleep: async () => undefined },
    policy: defaultPolicy,
    observer: { onEvent: () => undefined },
  };
  return async (start: string, end: string) =>
    await orThrow(getDownloadsReport(ports, { id: ["reports"], start: [start], end: [end] }));
}

it("shares one content between reports of the same list, each with its own usage", async () => {
  const report = reporting([{ store: "store_01", days: [1], newDownloads: [2], updateDownloads: [3] }]);
  const first = await report("2024-02-28", "2024-02-29");
  const second = await report("2024-02-28", "2024-02-29");
  expect(second.stores).toBe(first.stores);
  expect(second).toEqual({ ...first, usage: { dailyLimit: 9, usedToday: 2, remainingToday: 7 } });
});

it("builds separate contents for separate ranges, even if the store returns the same list", async () => {
  const report = reporting([]);
  for (const [start, end] of [
    ["2024-02-28", "2024-02-29"],
    ["2024-02-28", "2024-03-01"],
    ["2024-02-29", "2024-03-01"],
  ] as const) {
    const { days } = await report(start, end);
    expect([days[0], days.at(-1)]).toEqual([start, end]);
  }
});
