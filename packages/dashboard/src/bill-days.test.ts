import { aComparedBill, aFoundException, anAccount, DAY, expectOk } from "@tillkit/contract-tests";
import { lastBillDay } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import { openDashboard } from "./testing/open-dashboard.js";

/** Opens a dashboard with an account that one app uses, and an account that two apps share. */
async function aTeam() {
  const ports = memoryPorts();
  const now = ports.clock.now();
  const [older, newer] = [lastBillDay(now - DAY), lastBillDay(now)];
  const tool = { payChannel: "WALLET_A", appEnv: "DEV", gmtCreate: now - 2 * DAY } as const;
  for (const [id, appId, accountId] of [
    ["t-1", "app_1", "own"],
    ["t-2", "app_1", "shared"],
    ["t-3", "app_2", "shared"],
  ] as const) {
    // A second account of an app replaces the first one, which still has bills.
    await expectOk(ports.payTools.put(anAccount({ ...tool, id, appId, accountId })));
  }
  const bill = { payChannel: "WALLET_A", appEnv: "DEV", accountId: "own", day: newer } as const;
  await expectOk(ports.billExceptions.report([aFoundException(bill)]));
  await expectOk(ports.billExceptions.recordCompared(aComparedBill({ ...bill, matched: 7, fees: 3 })));
  const dashboard = openDashboard(ports);
  await dashboard.create("root", "admin");
  await dashboard.create("mine", "viewer", ["app_1"]);
  const [root, mine] = [await dashboard.signIn("root"), await dashboard.signIn("mine")];
  return { ...dashboard, root, mine, older, newer, range: `from=${older}&until=${newer}` };
}

describe("GET /api/bill-days", () => {
  it("lists every day of every account, compared or not", async () => {
    const { root, older, newer, range } = await aTeam();
    const none = { payChannel: "WALLET_A", appEnv: "DEV", compared: false, matched: 0, open: 0, resolved: 0 };
    expect((await root.get("/api/bill-days", range)).json).toEqual({
      items: [
        { ...none, accountId: "own", day: newer, compared: true, matched: 7, fees: 3, open: 1 },
        { ...none, accountId: "shared", day: newer },
        { ...none, accountId: "own", day: older },
        { ...none, accountId: "shared", day: older },
      ],
    });
  });

  it("hides an account that another app shares from an operator of one app", async () => {
    const { mine, create, signIn, newer } = await aTeam();
    const range = `from=${newer}&until=${newer}`;
    expect((await mine.get("/api/bill-days", range)).json["items"]).toMatchObject([{ accountId: "own" }]);
    await create("other", "viewer", ["app_other"]);
    const other = await signIn("other");
    expect((await other.get("/api/bill-days", range)).json).toEqual({ items: [] });
  });

  it.each(["", "from=2026-01-01", "from=2026-01-01&until=2026-06-01", "from=2026-01-02&until=2026-01-01"])(
    "answers 400 to the range %j",
    async (query) => {
      const { root } = await aTeam();
      expect((await root.get("/api/bill-days", query)).status).toBe(400);
    },
  );
});
