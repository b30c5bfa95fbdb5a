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
  const csv = (browser: Browser, query: string, path = "/api/downloads.csv") =>
    surface.handle({
      method: "GET",
      path,
      query,
      peer: "192.0.2.1",
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
      periods: [
        { from: "2026-01-14", until: "2026-01-14" },
        { from: "2026-01-15", until: "2026-01-15" },
      ],
      stores: [
        {
          store: "=1+1",
          periods: [null, { new: 7, update: 10, recordedDays: 1 }],
          totals: { new: 7, update: 10 },
          before: { new: 0, update: 0 },
        },
        {
          store: "others",
          periods: [null, null],
          totals: { new: 0, update: 0 },
          before: { new: 2, update: 10 },
        },
        {
          store: "store_01",
          periods: [
            { new: 4, update: 10, recordedDays: 1 },
            { new: 5, update: 10, recordedDays: 1 },
          ],
          totals: { new: 9, update: 20 },
          before: { new: 3, update: 10 },
        },
      ],
      totals: { new: 16, update: 30 },
      before: { from: "2026-01-12", until: "2026-01-13", new: 5, update: 20 },
    });
  });

  it("adds up every app that the operator sees, if none is named", async () => {
    const { root, mine } = await aTeam();
    expect((await root.get("/api/downloads", RANGE)).json).toMatchObject({
      stores: [{ store: "=1+1" }, { store: "others" }, { store: "store_01", totals: { new: 109 } }],
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
        status: 404,
        json: { error: { name: "downloads-client.unknown" } },
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

describe("GET /api/downloads by week and month", () => {
  it("adds up the days with data, and returns their number", async () => {
    const { root } = await aTeam();
    const { json } = await root.get("/api/downloads", "appId=app_1&from=2026-01-01&until=2026-01-31&by=week");
    expect(json).toMatchObject({
      periods: [{ until: "2026-01-04" }, { until: "2026-01-11" }, { until: "2026-01-18" }, {}, {}],
      stores: [
        { store: "=1+1", periods: [null, null, { new: 7, recordedDays: 1 }, null, null] },
        { store: "others" },
        { store: "store_01", periods: [null, { new: 1 }, { new: 12, recordedDays: 3 }, null, null] },
      ],
    });
    expect((await root.get("/api/downloads", `appId=app_1&${RANGE}&by=year`)).status).toBe(400);
  });

  it("has a line of CSV for each store and period with data", async () => {
    const { mine, csv } = await aTeam();
    const reply = await csv(mine, "from=2026-01-01&until=2026-01-31&by=month&store=store_01");
    expect(await textOf(reply)).toBe(
      [
        "\uFEFFappId,store,from,until,newDownloads,updateDownloads,recordedDays",
        "app_1,store_01,2026-01-01,2026-01-31,13,40,4",
        "",
      ].join("\r\n"),
    );
  });
});

describe("GET /api/downloads/coverage", () => {
  it("has the first and last day with data of the apps that the operator sees", async () => {
    const { root, mine, csv, ports } = await aTeam();
    const covered = {
      appId: "app_1",
      firstDay: "2026-01-15",
      lastDay: "2026-01-15",
      days: 1,
      missingDays: 0,
    };
    const { json } = await mine.get("/api/downloads/coverage");
    expect(json).toEqual({
      items: [
        { ...covered, store: "=1+1" },
        { ...covered, store: "others", firstDay: "2026-01-12", lastDay: "2026-01-12" },
        { ...covered, store: "store_01", firstDay: "2026-01-11", days: 4, missingDays: 1 },
      ],
    });
    expect((await root.get("/api/downloads/coverage")).json["items"]).toHaveLength(4);
    expect((await mine.get("/api/downloads/coverage", "appId=app_2")).status).toBe(404);
    const text = await textOf(await csv(mine, "", "/api/downloads/coverage.csv"));
    expect(text).toContain(`app_1,"'=1+1",2026-01-15,2026-01-15,1,0\r\n`);
    expect(text).not.toContain("app_2");
    expect((await csv(mine, "appId=app_2", "/api/downloads/coverage.csv")).status).toBe(404);
    const log = await expectOk(ports.auditLog.search({ action: "downloads.export", limit: 10 }));
    expect(log.items.map(({ outcome }) => outcome)).toEqual(["refused", "done"]);
  });
});

describe("POST /api/downloads/set and delete", () => {
  const days = {
    appId: "app_1",
    store: "STORE_01",
    from: "2026-01-14",
    until: "2026-01-15",
    reason: "wrong",
  };
  const counts = { newDownloads: 8, updateDownloads: 0 };

  it("sets and deletes days, once for one change, and keeps the previous counts in the audit log", async () => {
    const { root, ports } = await aTeam();
    const before = [
      { date: "2026-01-14", new: 4, update: 10 },
      { date: "2026-01-15", new: 5, update: 10 },
    ];
    const set = () => root.post("/api/downloads/set", { ...days, ...counts }, "change-of-counts-1");
    expect(await set()).toMatchObject({ status: 200, json: { store: "store_01", before } });
    expect((await set()).json).toMatchObject({ before });
    const deleted = await root.post("/api/downloads/delete", days);
    expect(deleted.json).toMatchObject({ before: [{ new: 8 }, { new: 8 }] });
    const log = (await expectOk(ports.auditLog.search({ subject: "downloads:app_1", limit: 9 }))).items;
    expect(log).toMatchObject([
      { action: "downloads.delete", operator: "root", appId: "app_1", reason: "wrong" },
      { action: "downloads.set" },
    ]);
    expect(JSON.parse(log[1]?.detail ?? "")).toMatchObject({
      before: {
        days: [
          ["2026-01-14", 4, 10],
          ["2026-01-15", 5, 10],
        ],
      },
    });
  });

  it("changes nothing for a viewer, another app, an unknown store, or a day in the future", async () => {
    const { root, mine, create, signIn, ports } = await aTeam();
    await create("boss", "admin", ["app_1"]);
    const boss = await signIn("boss");
    for (const [browser, changes, status] of [
      [mine, {}, 403],
      [boss, { appId: "app_2" }, 404],
      [root, { store: "nowhere" }, 404],
      [root, { until: "2099-01-01", from: "2099-01-01" }, 400],
      [root, { from: "2024-01-01" }, 400],
    ] as const)
      expect((await browser.post("/api/downloads/set", { ...days, ...counts, ...changes })).status).toBe(
        status,
      );
    expect((await boss.post("/api/downloads/delete", { ...days, appId: "app_2" })).status).toBe(404);
    const [app] = await Promise.all(
      ["app_1", "app_2"].map((appId) => expectOk(ports.downloads.read(appId, "2026-01-15", "2026-01-15"))),
    );
    expect(app).toMatchObject([{ newDownloads: [7] }, { store: "store_01", newDownloads: [5] }]);
  });
});

describe("stores", () => {
  const because = { reason: "one store" };

  it("are renamed and merged in every app, with a preview", async () => {
    const { root, ports } = await aTeam();
    const path = "/api/setup/stores/others";
    await expectOk(ports.downloads.upsert([[aCount({ store: "others", date: "2026-01-15" })]]));
    expect((await root.post(`${path}/rename`, { to: "Rest", ...because })).json).toEqual({
      store: "Rest",
      aliases: ["others"],
    });
    expect((await root.get(`${path}/merge`, "into=STORE_01")).json).toEqual({
      into: "store_01",
      movedDays: 1,
      daysInBoth: 1,
    });
    const merge = (days: string) => root.post(`${path}/merge`, { into: "store_01", days, ...because });
    expect(await merge("refuse")).toMatchObject({
      status: 409,
      json: { error: { name: "store.days-in-both" } },
    });
    expect(await merge("sum")).toMatchObject({ status: 200, json: { aliases: ["Rest", "others"] } });
    const named = await root.post("/api/setup/stores/store_01/alias", { alias: "一", ...because });
    expect(named.json["aliases"]).toEqual(["Rest", "others", "一"]);
    expect((await root.post("/api/setup/stores", { store: "New", ...because })).json).toEqual({
      store: "New",
      aliases: [],
    });
    expect((await root.post("/api/setup/stores", { store: "new", ...because })).status).toBe(409);
    const log = (await expectOk(ports.auditLog.search({ operator: "root", limit: 9 }))).items;
    expect(log.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
      expect.arrayContaining(["store.merge done", "store.rename done", "store.alias done", "store.add done"]),
    );
  });

  it("are changed only by an admin of every app, and listed only if they have counts of a visible app", async () => {
    const { mine, create, signIn, ports } = await aTeam();
    await expectOk(
      ports.downloads.upsert([[aCount({ appId: "app_2", store: "secret", date: "2026-01-15" })]]),
    );
    await create("boss", "admin", ["app_1"]);
    const boss = await signIn("boss");
    const path = "/api/setup/stores/store_01";
    for (const browser of [mine, boss]) {
      const listed = JSON.stringify((await browser.get("/api/setup/stores")).json);
      expect(listed).toContain("store_01");
      expect(listed).not.toContain("secret");
      for (const answer of [
        browser.post("/api/setup/stores", { store: "x", ...because }),
        browser.post(`${path}/alias`, { alias: "x", ...because }),
        browser.post(`${path}/rename`, { to: "x", ...because }),
        browser.post(`${path}/merge`, { into: "others", days: "sum", ...because }),
        browser.get(`${path}/merge`, "into=secret"),
      ])
        expect(await answer).toMatchObject({ status: 403, json: { error: { name: "permission.denied" } } });
    }
    const names = await expectOk(ports.downloads.storeNames());
    expect(names.map(({ name }) => name).toSorted()).toEqual(["=1+1", "others", "secret", "store_01"]);
  });
});

describe("GET /api/downloads.csv", () => {
  it("has a line for each recorded day, which no spreadsheet reads as a formula", async () => {
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
        operator: "mine",
        outcome: "done",
        subject: "downloads:app_1",
        appId: "app_1",
        detail: JSON.stringify({ from: "2026-01-14", until: "2026-01-15" }),
      },
    ]);
  });

  it("fails if the counts cannot be read, and breaks off if the counts of a later app cannot be read", async () => {
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
