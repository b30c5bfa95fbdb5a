import { aCount, anApp, expectOk } from "@tillkit/contract-tests";
import { headersIn, type HttpReply } from "@tillkit/core/http";
import { memoryPorts } from "@tillkit/memory";
import { errAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { type Browser, openDashboard } from "./testing/open-dashboard.js";

const RANGE = "from=2026-01-14&until=2026-01-15";

/** Opens a dashboard with counts of two apps, and an operator who sees both. */
async function aTeam(ports = memoryPorts()) {
  const dashboard = openDashboard(ports);
  const { create, signIn, surface } = dashboard;
  for (const appId of ["app_1", "app_2"]) await expectOk(ports.apps.insertOnce(anApp({ appId })));
  const count = (date: string, newDownloads: number, more: object = {}) =>
    aCount({ appId: "app_1", store: "store_01", date, newDownloads, updateDownloads: 10, ...more });
  await expectOk(
    ports.downloads.upsert([
      [
        count("2026-01-15", 5),
        count("2026-01-14", 4),
        count("2026-01-15", 7, { store: "=1+1" }),
        count("2026-01-13", 3),
        count("2026-01-12", 2, { store: "others" }),
        count("2026-01-11", 1),
        count("2026-01-15", 100, { appId: "app_2" }),
      ],
    ]),
  );
  await create("root", "admin");
  await create("mine", "viewer", ["app_1"]);
  const [root, mine] = [await signIn("root"), await signIn("mine")];
  const csv = (browser: Browser, query: string) =>
    surface.handle({
      ...{ method: "GET", path: "/api/downloads.csv", query, peer: "192.0.2.1" },
      headers: headersIn({ cookie: browser.cookie }),
      body: new Uint8Array(),
    });
  return { ...dashboard, root, mine, csv };
}

async function textOf({ body }: HttpReply): Promise<string> {
  if (typeof body === "string" || body instanceof Uint8Array) throw new TypeError("The reply is no stream.");
  let text = "";
  for await (const part of body) text += part;
  return text;
}

describe("GET /api/downloads", () => {
  it("has the counts by day and store, and compares them with the period before", async () => {
    const { root } = await aTeam();
    const { status, json } = await root.get("/api/downloads", `appId=app_1&${RANGE}`);
    expect(status).toBe(200);
    expect(json).toEqual({
      days: ["2026-01-14", "2026-01-15"],
      stores: [
        { store: "=1+1", new: [0, 7], update: [0, 10] },
        { store: "store_01", new: [4, 5], update: [10, 10] },
      ],
      totals: { new: 16, update: 30 },
      before: { from: "2026-01-12", until: "2026-01-13", new: 5, update: 20 },
    });
  });

  it("adds up every app that the operator sees, if none is named", async () => {
    const { root, mine } = await aTeam();
    expect((await root.get("/api/downloads", RANGE)).json).toMatchObject({
      stores: [{ store: "=1+1" }, { store: "store_01", new: [4, 105] }],
      totals: { new: 116 },
    });
    expect((await mine.get("/api/downloads", RANGE)).json).toMatchObject({ totals: { new: 16 } });
  });

  it("answers for the app of a downloads client", async () => {
    const { root, mine, ports } = await aTeam();
    for (const [clientId, appId] of [
      ["one", "app_1"],
      ["two", "app_2"],
    ] as const)
      await expectOk(ports.downloadsClients.insertOnce({ clientId, appId, dailyLimit: 1, gmtCreate: 0 }));
    const totals = async (browser: Browser, query: string) =>
      (await browser.get("/api/downloads", `${query}&${RANGE}`)).json["totals"];
    expect(await totals(root, "clientId=two")).toEqual({ new: 100, update: 10 });
    expect(await totals(mine, "clientId=one&appId=app_1")).toMatchObject({ new: 16 });
    for (const [browser, query] of [
      [mine, "clientId=two"],
      [mine, "clientId=none"],
      [root, "clientId=two&appId=app_1"],
    ] as const)
      expect(await browser.get("/api/downloads", `${query}&${RANGE}`)).toMatchObject({
        ...{ status: 404, json: { error: { name: "downloads-client.unknown" } } },
      });
  });

  it("does not show apps that the operator does not see, or that do not exist", async () => {
    const { root, mine } = await aTeam();
    for (const [browser, appId] of [
      [mine, "app_2"],
      [root, "none"],
    ] as const) {
      const refused = await browser.get("/api/downloads", `appId=${appId}&${RANGE}`);
      expect(refused).toMatchObject({ status: 404, json: { error: { name: "app.unknown" } } });
    }
  });

  it.each([
    "from=2026-01-15&until=2026-01-14",
    "from=2025-01-01&until=2026-01-02",
    "from=2026-02-30&until=2026-03-01",
    "from=2026-01-15",
    "until=2026-01-15",
  ])("answers 400 to %s", async (query) => {
    const { root, csv } = await aTeam();
    expect((await root.get("/api/downloads", `appId=app_1&${query}`)).status).toBe(400);
    expect((await csv(root, `appId=app_1&${query}`)).status).toBe(400);
  });
});

describe("GET /api/downloads.csv", () => {
  it("has a line for each recorded day, which no spreadsheet takes for a formula", async () => {
    const { root, csv } = await aTeam();
    const reply = await csv(root, `appId=app_1&${RANGE}`);
    expect(reply).toMatchObject({ status: 200, headers: { "content-type": "text/csv; charset=utf-8" } });
    expect(await textOf(reply)).toBe(
      [
        "\uFEFFappId,store,date,newDownloads,updateDownloads",
        `app_1,"'=1+1",2026-01-15,7,10`,
        "app_1,store_01,2026-01-14,4,10",
        "app_1,store_01,2026-01-15,5,10",
        "",
      ].join("\r\n"),
    );
  });

  it("has only the apps that the operator sees", async () => {
    const { root, mine, csv } = await aTeam();
    expect(await textOf(await csv(root, RANGE))).toContain("app_2,store_01,2026-01-15,100,10\r\n");
    expect(await textOf(await csv(mine, RANGE))).not.toContain("app_2");
    expect((await csv(mine, `appId=app_2&${RANGE}`)).status).toBe(404);
  });

  it("is in the audit log, also if it is refused", async () => {
    const { mine, csv, ports } = await aTeam();
    await textOf(await csv(mine, `appId=app_1&${RANGE}`));
    await csv(mine, `appId=app_2&${RANGE}`);
    const log = (await expectOk(ports.auditLog.search({ action: "downloads.export", limit: 10 }))).items;
    expect(log).toMatchObject([
      { operator: "mine", outcome: "refused", appId: "app_2" },
      {
        ...{ operator: "mine", outcome: "done", subject: "downloads:app_1", appId: "app_1" },
        detail: JSON.stringify({ from: "2026-01-14", until: "2026-01-15" }),
      },
    ]);
  });

  it("fails if the counts cannot be read, and breaks off if those of a later app cannot", async () => {
    const ports = memoryPorts();
    const { root, csv } = await aTeam(ports);
    const stored = { ...ports.downloads };
    let unreadable = "app_2";
    Object.assign(ports.downloads, {
      read: (...range: Parameters<typeof stored.read>) =>
        range[0] === unreadable
          ? errAsync({ name: "storage.unavailable", cause: "gone" })
          : stored.read(...range),
    });
    await expect(textOf(await csv(root, RANGE))).rejects.toThrow("cannot be read");
    unreadable = "app_1";
    expect((await csv(root, RANGE)).status).toBe(503);
    const log = (await expectOk(ports.auditLog.search({ action: "downloads.export", limit: 10 }))).items;
    expect(log.map(({ outcome }) => outcome)).toEqual(["failed", "done"]);
  });
});
