import { aFoundException, anAccount, expectOk } from "@tillkit/contract-tests";
import { authenticateCaller, configurePayTool, createApp, policyWith, type Wallet } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { openDashboard, send, type TestAnswer } from "./testing/open-dashboard.js";

const created = z.object({ app: z.object({ appId: z.string() }), appSecret: z.string() });

const rows = z.array(z.object({ credentials: z.array(z.object({ name: z.string(), isSet: z.boolean() })) }));

/** Returns the names of the credentials that pay tools have. */
function namesOf(items: unknown): readonly string[] {
  return rows
    .parse(items)
    .flatMap(({ credentials }) => credentials.filter(({ isSet }) => isSet).map(({ name }) => name));
}

async function aTeam(ports = memoryPorts()) {
  const dashboard = openDashboard(ports);
  await dashboard.create("root", "admin");
  const root = await dashboard.signIn("root");
  const makeApp = async (name = "Notes") => {
    const { json } = await root.post("/api/setup/apps", { name, reason: "new shop" });
    const { app, appSecret } = created.parse(json);
    return { appId: app.appId, appSecret };
  };
  return { ...dashboard, root, makeApp };
}

describe("apps", () => {
  it("get a secret that works, is shown once and is not listed", async () => {
    const { root, makeApp, ports } = await aTeam();
    const { appId, appSecret } = await makeApp();
    await expectOk(authenticateCaller(ports, { appId: appId, appSecret }));
    const { json } = await root.get("/api/setup/apps");
    expect(json["items"]).toMatchObject([{ appId, name: "Notes", disabled: false, secrets: [{}] }]);
    expect(JSON.stringify(json)).not.toContain("hash");
    const log = (await expectOk(ports.auditLog.search({ action: "app.create", limit: 10 }))).items;
    expect(log).toMatchObject([{ operator: "root", reason: "new shop", subject: `app:${appId}` }]);
    expect(JSON.stringify(log)).not.toContain(appSecret);
  });

  it("rotate their secret with an overlap whose end is shown", async () => {
    const { root, makeApp, ports } = await aTeam();
    const { appId, appSecret } = await makeApp();
    const path = `/api/setup/apps/${appId}/rotate`;
    const { json } = await root.post(path, { overlap: 60_000, reason: "leaked" });
    const end = ports.clock.now() + 60_000;
    expect(json["app"]).toMatchObject({ secrets: [{}, { expiresAt: end }] });
    for (const secret of [appSecret, String(json["appSecret"])])
      await expectOk(authenticateCaller(ports, { appId: appId, appSecret: secret }));
    expect((await root.post(path, { overlap: -1, reason: "leaked" })).status).toBe(400);
  });

  it("change their rules one by one, and are disabled and enabled", async () => {
    const { root, makeApp } = await aTeam();
    const { appId } = await makeApp();
    const path = `/api/setup/apps/${appId}`;
    const rules = { identityChecks: { card: false, walletAccount: false }, reason: "long ids" };
    expect((await root.post(`${path}/rules`, rules)).json).toMatchObject({
      accountBased: true,
      identityChecks: {
        email: true,
        phone: true,
        card: false,
        identityCard: true,
        walletAccount: false,
        bizNo: true,
      },
    });
    expect((await root.post(`${path}/disable`, { reason: "closed" })).json).toMatchObject({ disabled: true });
    expect((await root.post(`${path}/enable`, { reason: "open" })).json).toMatchObject({ disabled: false });
    const none = await root.post("/api/setup/apps/none/disable", { reason: "closed" });
    expect(none).toMatchObject({ status: 404, json: { error: { name: "app.unknown" } } });
  });

  it("are seen and changed only by operators of every app or of this app", async () => {
    const { makeApp, create, signIn } = await aTeam();
    const { appId } = await makeApp();
    await create("mine", "admin", [appId]);
    await create("other", "admin", ["app_other"]);
    const [mine, other] = [await signIn("mine"), await signIn("other")];
    expect((await mine.get("/api/setup/apps")).json["items"]).toHaveLength(1);
    expect((await other.get("/api/setup/apps")).json["items"]).toHaveLength(0);
    const path = `/api/setup/apps/${appId}/disable`;
    expect((await other.post(path, { reason: "test" })).status).toBe(404);
    expect((await mine.post("/api/setup/apps", { name: "Own", reason: "test" })).status).toBe(403);
    expect((await mine.post(path, { reason: "test" })).json).toMatchObject({ disabled: true });
  });
});

describe("service types, downloads clients and pay tools", () => {
  it("are created for an app and listed", async () => {
    const { root, makeApp } = await aTeam();
    const { appId } = await makeApp();
    const type = { appId, serviceTypeNo: "T-1", serviceName: "Member", durationMs: 86_400_000 };
    expect((await root.post("/api/setup/service-types", { ...type, reason: "new" })).json).toMatchObject(
      type,
    );
    const listed = await root.get("/api/setup/service-types", `app=${appId}`);
    expect(listed.json["items"]).toMatchObject([type]);
    const client = { appId, clientId: "reports-of-notes", dailyLimit: 10 };
    const made = await root.post("/api/setup/downloads-clients", { ...client, reason: "new" });
    expect(made.json).toMatchObject(client);
    expect((await root.get("/api/setup/downloads-clients")).json["items"]).toMatchObject([client]);
    expect((await root.get("/api/setup/pay-tools")).json["items"]).toEqual([]);
  });

  it("are not created for an app that the operator does not see", async () => {
    const { makeApp, create, signIn } = await aTeam();
    const { appId } = await makeApp();
    await create("other", "admin", ["app_other"]);
    const other = await signIn("other");
    const type = { appId, serviceName: "Member", durationMs: 1, reason: "new" };
    expect((await other.post("/api/setup/service-types", type)).status).toBe(404);
    const client = { appId, dailyLimit: 10, reason: "new" };
    expect((await other.post("/api/setup/downloads-clients", client)).status).toBe(404);
    expect((await other.get("/api/setup/service-types", `app=${appId}`)).status).toBe(404);
  });
});

describe("a pay tool", () => {
  const configure = async (credentials: Readonly<Record<string, string>>) => {
    const team = await aTeam();
    const { appId } = await team.makeApp();
    const {
      id: _id,
      appId: _app,
      signStatus: _sign,
      gmtCreate: _made,
      gmtModified: _at,
      ...tool
    } = anAccount();
    await expectOk(configurePayTool(team.ports, appId, { ...tool, credentials }));
    const listed = async (headers: Readonly<Record<string, string>> = {}) => {
      const { cookie } = team.root;
      const path = "/api/setup/pay-tools";
      return (await send(team.surface, { path, headers: { cookie, ...headers } })).json["items"];
    };
    return { ...team, appId, listed };
  };

  it("explains why it is not ready, and contains no credential", async () => {
    const { listed, appId } = await configure({ problem: "apiV3Key is wrong", key: "s3cret" });
    const items = await listed();
    expect(items).toMatchObject([
      {
        appId,
        signStatus: "NO",
        isCurrent: true,
        problems: [{ code: "other", text: "apiV3Key is wrong" }],
      },
    ]);
    expect(JSON.stringify(items)).not.toContain("s3cret");
  });

  it("has no problem if it works, and warns before a certificate expires, also in Chinese", async () => {
    const end = Date.UTC(2100, 0, 2);
    const { listed, ports } = await configure({ expiresAt: String(end) });
    expect(await listed()).toMatchObject([{ signStatus: "OK", problems: [] }]);
    expect(namesOf(await listed())).toEqual(["expiresAt"]);
    expect(JSON.stringify(await listed())).toContain(`"expiresAt":${String(end)}`);
    const soon = ports.clock.now() + 86_400_000;
    const warned = await configure({ expiresAt: String(soon) });
    expect(await warned.listed()).toMatchObject([{ problems: [{ code: "expiring" }] }]);
    const chinese = await warned.listed({ "accept-language": "zh-CN" });
    expect(JSON.stringify(chinese)).toContain("过期");
  });

  const change = async (
    team: Awaited<ReturnType<typeof configure>>,
    body: object,
    by = team.root,
  ): Promise<TestAnswer> => {
    const [tool] = await expectOk(team.ports.payTools.listAll());
    return by.post(`/api/setup/pay-tools/${tool?.id ?? ""}/change`, { reason: "new key", ...body });
  };
  const stored = async ({ ports, appId }: Awaited<ReturnType<typeof configure>>) =>
    expectOk(ports.payTools.current(appId, "WALLET_A"));

  it("keeps members that a change does not name, and returns no credential", async () => {
    const team = await configure({ privateKey: "old s3cret", apiKey: "kept s3cret" });
    const changed = await change(team, { appName: "Renamed", credentials: { privateKey: "new s3cret" } });
    expect(changed).toMatchObject({ status: 200, json: { appName: "Renamed", signStatus: "OK" } });
    expect(namesOf([changed.json])).toEqual(["privateKey", "apiKey"]);
    expect(await stored(team)).toMatchObject({
      appName: "Renamed",
      credentials: { privateKey: "new s3cret", apiKey: "kept s3cret" },
    });
    await change(team, { credentials: { privateKey: null } });
    expect((await stored(team))?.credentials).toEqual({ apiKey: "kept s3cret" });
    const log = (await expectOk(team.ports.auditLog.search({ action: "pay-tool.change", limit: 10 }))).items;
    expect(log.map(({ detail = "" }): unknown => JSON.parse(detail))).toMatchObject([
      { changed: [], removed: ["privateKey"], before: {} },
      { changed: ["appName", "privateKey"], removed: [], before: { appName: anAccount().appName } },
    ]);
    for (const text of [changed.json, log, await team.listed()])
      expect(JSON.stringify(text)).not.toContain("s3cret");
  });

  it("is not changed to credentials that do not work, and the answer has the reason", async () => {
    const team = await configure({ privateKey: "works" });
    const before = await stored(team);
    const refused = await change(team, { credentials: { problem: "privateKey is too short" } });
    expect(refused).toMatchObject({ status: 409, json: { error: { name: "pay-tool.not-working" } } });
    expect(refused.json["error"]).toMatchObject({
      problems: [{ code: "other", text: "privateKey is too short" }],
    });
    expect(await stored(team)).toEqual(before);
  });

  it("keeps the changes of two operators at the same time", async () => {
    const team = await configure({});
    const both = [{ privateKey: "one" }, { apiKey: "two" }];
    await Promise.all(both.map((credentials) => change(team, { credentials })));
    expect((await stored(team))?.credentials).toEqual({ privateKey: "one", apiKey: "two" });
  });

  it("is changed only by an admin who sees its app", async () => {
    const team = await configure({ privateKey: "works" });
    await team.create("other", "admin", ["app_other"]);
    await team.create("han", "finance");
    const body = { credentials: { privateKey: "new" } };
    const hidden = await change(team, body, await team.signIn("other"));
    expect(hidden).toMatchObject({ status: 404, json: { error: { name: "pay-tool.unknown" } } });
    expect((await change(team, body, await team.signIn("han"))).status).toBe(403);
    expect((await stored(team))?.credentials).toEqual({ privateKey: "works" });
  });

  it("shows its default options, and changes them", async () => {
    const team = await configure({ privateKey: "works" });
    const walletOptions = { limit_pay: ["no_credit"], attach: "shop 1" };
    const changed = await change(team, { walletOptions });
    expect(changed).toMatchObject({ status: 200, json: { walletOptions } });
    expect(await team.listed()).toMatchObject([{ walletOptions }]);
    expect((await stored(team))?.credentials).toEqual({ privateKey: "works" });
    const [entry] = (await expectOk(team.ports.auditLog.search({ action: "pay-tool.change", limit: 1 })))
      .items;
    expect(JSON.parse(entry?.detail ?? "")).toMatchObject({ changed: ["walletOptions"] });
    const foreign = await change(team, { walletOptions: { passback_params: "p" } });
    expect(foreign).toMatchObject({ status: 400, json: { error: { name: "parameter.invalid" } } });
    expect(JSON.stringify(foreign.json)).toContain("walletOptions.passback_params");
    const unknown = await change(team, { walletOptions: { openid: "o" } });
    expect(JSON.stringify(unknown.json)).toContain("walletOptions.openid");
    expect((await stored(team))?.walletOptions).toEqual(walletOptions);
    expect((await change(team, { walletOptions: {} })).json).not.toHaveProperty("walletOptions");
  });

  it("does not hide other pay tools if its credentials cannot be read", async () => {
    const { listed, ports } = await configure({ key: "k" });
    Object.assign(ports.payTools, {
      find: () => errAsync({ name: "storage.unavailable", cause: "sealed" }),
    });
    expect(await listed()).toMatchObject([{ problems: [{ code: "credentials-unreadable" }] }]);
  });
});

describe("the pay tool of a service provider's shop", () => {
  /** Memory wallets that need a provider if the credentials name one, as the real wallets do. */
  function providingPorts() {
    const ports = memoryPorts();
    const withProviders = (wallet: Wallet): Wallet => ({
      ...wallet,
      credentialNames: ["privateKey", "provider", "appAuthToken", "appAuthTokenExpiry"],
      checkAccount: async ({ credentials, provider }) =>
        credentials["provider"] === provider?.id
          ? []
          : [{ code: "mismatch", field: "provider", message: { en: "provider is unknown", zh: "未知" } }],
      credentialExpiries: ({ credentials: { appAuthTokenExpiry: end } }) =>
        end === undefined ? [] : [{ name: "appAuthToken", expiresAt: Date.parse(end) }],
    });
    const { WALLET_A, WALLET_B } = ports.wallets;
    const wallets = { WALLET_A: withProviders(WALLET_A), WALLET_B: withProviders(WALLET_B) };
    return { ...ports, wallets };
  }

  async function aShop() {
    const ports = providingPorts();
    const dashboard = openDashboard(ports);
    await dashboard.create("root", "admin");
    const root = await dashboard.signIn("root");
    const set = async (accountId: string, credentials: Readonly<Record<string, string>>) => {
      const { app } = await expectOk(createApp(ports, { name: accountId }));
      const tool = { payChannel: "WALLET_B", appEnv: "PROD", accountId, walletAppId: "2021" } as const;
      return (await expectOk(configurePayTool(ports, app.appId, { ...tool, credentials }))).payTool;
    };
    const provider = await set("2088000000000001", { privateKey: "provider s3cret" });
    const shop = await set("2088000000000201", { provider: provider.id, appAuthToken: "token s3cret" });
    const row = async () => {
      const { json } = await root.get("/api/setup/pay-tools");
      return z
        .array(z.looseObject({ id: z.string() }))
        .parse(json["items"])
        .find(({ id }) => id === shop.id);
    };
    const change = (credentials: Readonly<Record<string, string | null>>, by = root) =>
      by.post(`/api/setup/pay-tools/${shop.id}/change`, { credentials, reason: "new authorisation" });
    return { ...dashboard, ports, root, provider, shop, row, change };
  }

  it("works with the keys of its provider, and shows the names of its own credentials", async () => {
    const { row } = await aShop();
    expect(await row()).toMatchObject({
      signStatus: "OK",
      problems: [],
      credentials: [
        { name: "privateKey", isSet: false },
        { name: "provider", isSet: true },
        { name: "appAuthToken", isSet: true },
        { name: "appAuthTokenExpiry", isSet: false },
      ],
    });
    expect(JSON.stringify(await row())).not.toContain("s3cret");
  });

  it("shows when the authorisation of its provider ends, and warns before", async () => {
    const { row, change, ports } = await aShop();
    const late = "2100-01-01";
    await change({ appAuthTokenExpiry: late });
    expect(JSON.stringify(await row())).toContain(`"expiresAt":${String(Date.parse(late))}`);
    expect(await row()).toMatchObject({ problems: [] });
    await change({ appAuthTokenExpiry: new Date(ports.clock.now() + 86_400_000).toISOString() });
    const [problem] = z
      .looseObject({ problems: z.array(z.object({ code: z.string(), text: z.string() })) })
      .parse(await row()).problems;
    expect(problem).toMatchObject({ code: "expiring" });
    expect(problem?.text).toContain("appAuthToken");
  });

  it("is not changed to a provider that does not exist, or that the operator does not see", async () => {
    const { change, row, create, signIn, shop, provider } = await aShop();
    expect(await change({ provider: "none" })).toMatchObject({ status: 404 });
    await create("of-shop", "admin", [shop.appId]);
    const ofShop = await signIn("of-shop");
    expect(await change({ provider: provider.id }, ofShop)).toMatchObject({
      status: 404,
      json: { error: { name: "pay-tool.unknown" } },
    });
    // A shop cannot be a provider, not even its own.
    expect(await change({ provider: shop.id })).toMatchObject({
      status: 409,
      json: { error: { name: "pay-tool.not-working" } },
    });
    expect(await row()).toMatchObject({ signStatus: "OK", problems: [] });
  });

  it("follows its provider: keys that cannot be found make it unusable", async () => {
    const { ports, row, provider } = await aShop();
    const stored = { ...ports.payTools };
    Object.assign(ports.payTools, {
      find: (id: string) => (id === provider.id ? okAsync(undefined) : stored.find(id)),
    });
    expect(await row()).toMatchObject({ problems: [{ code: "mismatch", text: "provider is unknown" }] });
  });
});

describe("a service type", () => {
  const types = async () => {
    const team = await aTeam();
    const { root, makeApp, ports } = team;
    const { appId } = await makeApp();
    const type = { appId, serviceTypeNo: "T/1", serviceName: "Member", durationMs: 86_400_000 };
    const { json } = await root.post("/api/setup/service-types", { ...type, reason: "new" });
    const path = (action: string, no = "T/1") =>
      `/api/apps/${appId}/service-types/${encodeURIComponent(no)}/${action}`;
    const stored = () => expectOk(ports.serviceTypes.find(appId, "T/1"));
    return { ...team, appId, created: json, path, stored };
  };

  it("is renamed, retired and restored, with entries in the audit log", async () => {
    const { root, ports, appId, created, path, stored } = await types();
    const renamed = { ...created, serviceName: "Premium" };
    const name = { serviceName: "Premium", reason: "new name" };
    expect((await root.post(path("rename"), name)).json).toEqual(renamed);
    const retired = { ...renamed, retiredAt: ports.clock.now() };
    expect((await root.post(path("retire"), { reason: "no longer sold" })).json).toEqual(retired);
    expect(await stored()).toEqual(retired);
    expect((await root.get("/api/setup/service-types", `app=${appId}`)).json["items"]).toEqual([retired]);
    expect((await root.post(path("restore"), { reason: "sold again" })).json).toEqual(renamed);
    const log = (await expectOk(ports.auditLog.search({ subject: `service-type:${appId}/T/1`, limit: 10 })))
      .items;
    expect(log.map(({ action, reason }) => [action, reason])).toEqual([
      ["service-type.restore", "sold again"],
      ["service-type.retire", "no longer sold"],
      ["service-type.rename", "new name"],
      ["service-type.create", "new"],
    ]);
  });

  it("is not changed without a reason or with a wrong name, and not found under another number", async () => {
    const { root, created, path, stored } = await types();
    expect((await root.post(path("retire"))).status).toBe(400);
    for (const serviceName of ["", "n".repeat(65), "two\nlines"])
      expect((await root.post(path("rename"), { serviceName, reason: "test" })).status).toBe(400);
    expect(await stored()).toEqual(created);
    for (const action of ["rename", "retire", "restore"]) {
      const gone = await root.post(path(action, "none"), { serviceName: "x", reason: "test" });
      expect(gone).toMatchObject({ status: 404, json: { error: { name: "service-type.unknown" } } });
    }
  });

  it("is changed only by operators who see the app", async () => {
    const { create, signIn, appId, created, path, stored } = await types();
    await create("other", "admin", ["app_other"]);
    const other = await signIn("other");
    for (const action of ["rename", "retire", "restore"]) {
      const refused = await other.post(path(action), { serviceName: "x", reason: "test" });
      expect(refused).toMatchObject({ status: 404, json: { error: { name: "app.unknown" } } });
    }
    expect(await stored()).toEqual(created);
    await create("mine", "admin", [appId]);
    const mine = await signIn("mine");
    expect((await mine.post(path("retire"), { reason: "test" })).status).toBe(200);
  });
});

it("the list of test numbers masks each number and contains no code", async () => {
  const testNumbers = [{ mobileNo: "13800138000", authCode: "424242" }];
  const { root } = await aTeam(memoryPorts({ policy: policyWith({ testNumbers }) }));
  const { json } = await root.get("/api/setup/test-numbers");
  expect(json["items"]).toEqual([{ mobileNo: "138****00" }]);
});

describe("bill exceptions", () => {
  it("are listed with both sides, and resolved once with a note", async () => {
    const { ports, create, signIn } = await aTeam();
    const found = aFoundException();
    await expectOk(ports.billExceptions.report([found]));
    await create("fin", "finance");
    const fin = await signIn("fin");
    const { json } = await fin.get("/api/bill-exceptions", "state=OPEN");
    expect(json).toMatchObject({
      items: [{ id: found.id, kind: found.kind, state: "OPEN" }],
      total: { count: 1 },
    });
    const path = `/api/bill-exceptions/${found.id}/resolve`;
    const resolved = await fin.post(path, { note: "paid by bank transfer" });
    expect(resolved.json).toMatchObject({
      state: "RESOLVED",
      operator: "fin",
      note: "paid by bank transfer",
    });
    expect(await fin.post(path, { note: "again" })).toMatchObject({
      status: 409,
      json: { error: { name: "bill-exception.not-open" } },
    });
    expect((await fin.post("/api/bill-exceptions/none/resolve", { note: "x" })).status).toBe(404);
    const log = await expectOk(ports.auditLog.search({ action: "bill-exception.resolve", limit: 10 }));
    expect(log.items.map(({ subject, outcome }) => `${subject} ${outcome}`)).toEqual([
      "bill-exception:none failed",
      `bill-exception:${found.id} failed`,
      `bill-exception:${found.id} done`,
    ]);
  });

  it("of one app are on the first page, even if many newer exceptions belong to other apps", async () => {
    const { ports, create, signIn } = await aTeam();
    const found = Array.from({ length: 30 }, (_, nth) =>
      aFoundException({
        id: `x-${String(nth).padStart(2, "0")}`,
        order: { appId: "app_other", bizNo: "b-1" },
      }),
    );
    const mine = aFoundException({ id: "x-99", order: { appId: "app_mine", bizNo: "b-1" } });
    await expectOk(ports.billExceptions.report([...found, aFoundException({ id: "x-00-day" }), mine]));
    await create("fin", "finance", ["app_mine"]);
    const { json } = await (await signIn("fin")).get("/api/bill-exceptions", "pageSize=10");
    expect(json).toMatchObject({ items: [{ id: "x-99" }], total: { count: 1 } });
  });

  it("of other apps are hidden, and an operator of some apps resolves none", async () => {
    const { ports, create, signIn } = await aTeam();
    const [mine, other] = ["app_mine", "app_other"].map((appId) =>
      aFoundException({ id: appId, order: { appId, bizNo: "b-1" } }),
    );
    if (mine === undefined || other === undefined) throw new Error("no exceptions");
    await expectOk(ports.billExceptions.report([mine, other]));
    await create("fin", "finance", ["app_mine"]);
    const fin = await signIn("fin");
    const { json } = await fin.get("/api/bill-exceptions");
    expect(json).toMatchObject({ items: [{ id: "app_mine" }], total: { count: 1 } });
    const refused = await fin.post("/api/bill-exceptions/app_mine/resolve", { note: "x" });
    expect(refused).toMatchObject({ status: 403, json: { error: { name: "permission.denied" } } });
  });
});
