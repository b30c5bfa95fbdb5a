import { aComparedBill, aFoundException, anAccount, DAY, expectOk } from "@tillkit/contract-tests";
import { lastBillDay } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { openDashboard, send } from "./testing/open-dashboard.js";

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

  it("hides a shared account from an operator who sees only one of its apps", async () => {
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

describe("POST /api/bill-days/{day}/{payChannel}/{appEnv}/{accountId}/compare", () => {
  const compareOf = (day: string, accountId: string) =>
    `/api/bill-days/${day}/WALLET_A/DEV/${accountId}/compare`;

  it("compares only the bill of the account and day", async () => {
    const { ports, root, older, range } = await aTeam();
    const { status, json } = await root.post(compareOf(older, "shared"));
    expect(status).toBe(200);
    expect(json).toMatchObject({ accountId: "shared", day: older, compared: true, matched: 0, open: 0 });
    const days = z.array(z.object({ accountId: z.string(), day: z.string(), compared: z.boolean() }));
    const listed = days.parse((await root.get("/api/bill-days", range)).json["items"]);
    expect(listed.filter(({ compared, day }) => compared && day === older)).toMatchObject([
      { accountId: "shared" },
    ]);
    const { items } = await expectOk(ports.auditLog.search({ action: "bill-day.compare", limit: 10 }));
    expect(items).toMatchObject([
      { operator: "root", outcome: "done", subject: `bill-day: ${older} WALLET_A DEV shared` },
    ]);
  });

  it("compares once for one change id, and concurrent comparisons do no harm", async () => {
    const { ports, root, older } = await aTeam();
    const wallet = ports.wallets.WALLET_A;
    let reads = 0;
    const readBill: typeof wallet.readBill = (...call) => {
      reads += 1;
      return wallet.readBill(...call);
    };
    const wallets = { ...ports.wallets, WALLET_A: { ...wallet, readBill } };
    const { surface } = openDashboard({ ...ports, wallets });
    const post = (changeId: string) =>
      send(surface, {
        method: "POST",
        path: compareOf(older, "own"),
        body: {},
        headers: { cookie: root.cookie, "x-csrf-token": root.csrfToken, "x-change-id": changeId },
      });
    const statuses = (await Promise.all([post("a-double-click-1"), post("a-double-click-1")])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 409]);
    expect(await post("a-double-click-1")).toMatchObject({ status: 200, json: { compared: true } });
    expect(reads).toBe(1);
    const both = await Promise.all([post("first-tab-000001"), post("second-tab-00001")]);
    expect(both.map(({ json }) => json)).toMatchObject([{ compared: true }, { compared: true }]);
  });

  it.each([
    [{ name: "wallet.unknown", cause: "network", detail: "lost" }, "bill-day.unknown"],
    [rejected("not-ready"), "bill-day.not-ready"],
    [rejected("configuration"), "bill-day.refused"],
  ] as const)("says why it compared nothing: %j", async (failure, name) => {
    const { ports, root, older, newer } = await aTeam();
    ports.wallets.WALLET_A.failNext("readBill", failure);
    const { status, json } = await root.post(compareOf(older, "own"));
    expect({ status, json }).toMatchObject({ status: 409, json: { error: { name } } });
    const none = (await root.get("/api/bill-days", `from=${older}&until=${newer}`)).json["items"];
    expect(none).toContainEqual(expect.objectContaining({ accountId: "own", day: older, compared: false }));
  });

  it("finds no day before the account was set up, no day that is not over, and no account of a hidden app", async () => {
    const { root, create, signIn, older, newer } = await aTeam();
    const name = "bill-day.not-found";
    for (const [day, accountId] of [
      ["2020-01-01", "own"],
      ["2199-01-01", "own"],
      [older, "unknown"],
    ] as const)
      expect((await root.post(compareOf(day, accountId))).json["error"]).toMatchObject({ name });
    await create("hidden", "finance", ["app_1"]);
    const hidden = await signIn("hidden");
    expect((await hidden.post(compareOf(newer, "shared"))).json["error"]).toMatchObject({ name });
    expect((await hidden.post(compareOf(newer, "own"))).status).toBe(200);
  });
});

function rejected(reason: "not-ready" | "configuration") {
  return { name: "wallet.rejected", reason, trusted: true, detail: "no" } as const;
}
