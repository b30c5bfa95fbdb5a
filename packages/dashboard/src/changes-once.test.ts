import { randomBytes } from "node:crypto";
import {
  createDownloadsClient,
  createOrder,
  createOrderInput,
  lastBillDay,
  orThrow,
  parseInput,
  policyWith,
  runHousekeeping,
  syncOrder,
} from "@tillkit/core";
import { changePayTool, syncRefund } from "@tillkit/core/operators";
import {
  aCount,
  aFoundException,
  anAccount,
  CONCURRENT_CALLERS,
  DAY,
  expectOk,
} from "@tillkit/contract-tests";
import { memoryPorts, type MemoryPorts } from "@tillkit/memory";
import { migrate, pgClient, postgresStores } from "@tillkit/postgres";
import { errAsync } from "neverthrow";
import pg from "pg";
import { afterAll, describe, expect, inject, it } from "vitest";
import * as z from "zod";
import { operatorRoutes } from "./api/routes.js";
import {
  type Browser,
  browserOf,
  codeOf,
  openDashboard,
  PASSWORD,
  send,
  type TestAnswer,
} from "./testing/open-dashboard.js";
import {
  aConsoleRefund,
  anAbnormalRefund,
  anApp,
  anOrder,
  anUnsentRefund,
  aPaidOrder,
} from "./testing/paid-orders.js";

const policy = policyWith({ refundApprovalOver: 300 });
const LEASE = policy.workLease;

/** The changing requests that need no change id: the steps of sign-in, and what changes nothing. */
const WITHOUT_ID = [
  "POST /api/session",
  "POST /api/session/code",
  "POST /api/session/enrolment",
  "DELETE /api/session",
  "POST /api/orders/{appId}/{bizNo}/refunds/dry-run",
];

const changes = operatorRoutes.filter(({ isChange }) => isChange);
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

/** A change that can be made once, and another change that must not be made with its id. */
interface Case {
  readonly by: Browser;
  readonly path: string;
  readonly body: object;
  readonly other: object;
  /** Whether the answer to a repetition lacks a member of the first answer. */
  readonly secret?: string;
  /** Whether the change replaces the session of the sender. */
  readonly replacesSession?: boolean;
  /** Whether the answer changes with the time, or with what the change caused. */
  readonly answersWithState?: boolean;
  /** How long the change may take. Defaults to `policy.workLease`. */
  readonly lease?: number;
}

type Shop = Awaited<ReturnType<typeof aShop>>;

async function aShop(ports: MemoryPorts) {
  const suffix = randomBytes(4).toString("hex");
  const dashboard = openDashboard(ports, { secondFactor: "optional" });
  const { create, signIn } = dashboard;
  const nameFor = (name: string) => `${name}-${suffix}`;
  const appId = await anApp(ports);
  await create(nameFor("root"), "admin");
  await create(nameFor("han"), "finance");
  const [root, han] = [await signIn(nameFor("root")), await signIn(nameFor("han"))];
  return { ...dashboard, suffix, appId, root, han, nameFor };
}

const reason = { reason: "the customer called" };

const id = z.object({ approval: z.object({ id: z.string() }) });

async function aWaitingApproval({ ports, appId, han }: Shop) {
  await aPaidOrder(ports, appId, "waiting");
  const refund = { refundNo: "r-1", amount: 400, reason: "bought twice" };
  return id.parse((await han.post(`/api/orders/${appId}/waiting/refunds`, refund)).json).approval.id;
}

/** How each route of the table is prepared. A new route needs a row here. */
const CASES: Readonly<Record<string, (shop: Shop) => Promise<Case>>> = {
  "POST /api/session/enrolment/confirm": async ({ surface, create, nameFor, ports }) => {
    const name = nameFor("new");
    await create(name, "support");
    const sent = { method: "POST", path: "/api/session", body: { name, password: PASSWORD } } as const;
    const by = browserOf(surface, name, await send(surface, sent));
    const password = { password: PASSWORD };
    const { json } = await by.post("/api/session/enrolment", password);
    const code = codeOf(String(json["key"]), ports.clock.now());
    const path = "/api/session/enrolment/confirm";
    return { by, path, body: { ...password, code }, other: { ...password, code }, replacesSession: true };
  },
  "POST /api/session/enrolment/remove": async ({ create, nameFor, signIn }) => {
    const name = nameFor("new");
    await create(name, "support");
    const by = await signIn(name);
    const body = { password: PASSWORD };
    return { by, path: "/api/session/enrolment/remove", body, other: body, replacesSession: true };
  },
  "POST /api/session/password": async ({ root }) => ({
    by: root,
    path: "/api/session/password",
    body: { current: PASSWORD, next: "staple correct horse" },
    // The stored digest does not depend on a password.
    other: { current: PASSWORD, next: "staple correct horse" },
    replacesSession: true,
  }),
  "POST /api/orders/{appId}/{bizNo}/sync": async ({ ports, appId, root }) => {
    await anOrder(ports, appId, "b-1");
    const path = `/api/orders/${appId}/b-1/sync`;
    return { by: root, path, body: reason, other: { reason: "other" }, answersWithState: true };
  },
  "POST /api/orders/{appId}/{bizNo}/close": async ({ ports, appId, root }) => {
    await anOrder(ports, appId, "b-1");
    const path = `/api/orders/${appId}/b-1/close`;
    return { by: root, path, body: reason, other: { reason: "other" }, answersWithState: true };
  },
  "POST /api/orders/{appId}/{bizNo}/report-shipment": async ({ ports, appId, root }) => {
    const tool = await expectOk(ports.payTools.current(appId, "WALLET_A"));
    await expectOk(changePayTool(ports, tool?.id ?? "", { credentials: { shipments: "VIRTUAL" } }));
    const terms = { bizNo: "b-1", customerIdentity: "user-1", amount: 600, goodsTitle: "Month" };
    const opening = { payChannel: "WALLET_A", paySource: "JSAPI", payerId: "oUpF8uMuAJO" };
    const input = orThrow(parseInput(createOrderInput(ports.policy), { ...terms, ...opening }));
    const { order } = await expectOk(createOrder(ports, appId, input));
    ports.wallets.WALLET_A.pay(order.id);
    await expectOk(syncOrder(ports, appId, "b-1"));
    const path = `/api/orders/${appId}/b-1/report-shipment`;
    return { by: root, path, body: reason, other: { reason: "other" }, answersWithState: true };
  },
  "POST /api/orders/{appId}/{bizNo}/acknowledge": async ({ ports, appId, root }) => {
    const order = await anOrder(ports, appId, "b-1");
    const alarm = { type: "MISMATCH", at: ports.clock.now(), actor: "wallet", alarm: true } as const;
    await expectOk(ports.orders.record(order, { ...alarm, reason: "the amount differs" }));
    const path = `/api/orders/${appId}/b-1/acknowledge`;
    return { by: root, path, body: reason, other: { reason: "other" }, answersWithState: true };
  },
  "POST /api/customers/{appId}/{customerIdentity}/sessions/end": async (shop) =>
    ofCustomer(shop, "sessions/end", reason),
  "POST /api/customers/{appId}/{customerIdentity}/erase": async (shop) =>
    ofCustomer(shop, "erase", { typedIdentity: "cus-1", ...reason }),
  "POST /api/customers/{appId}/{customerIdentity}/numbers/detach": async (shop) =>
    ofCustomer(shop, "numbers/detach", { mobileNo: "13800138000", ...reason }),
  "POST /api/customers/{appId}/{customerIdentity}/numbers/move": async (shop) =>
    ofCustomer(shop, "numbers/move", { from: "13800138000", to: "13900139000", ...reason }),
  "POST /api/customers/{appId}/{customerIdentity}/merge": async (shop) =>
    ofCustomer(shop, "merge", { into: "cus-2", ...reason }),
  "POST /api/orders/{appId}/{bizNo}/refunds": async ({ ports, appId, root }) => {
    await aPaidOrder(ports, appId, "b-1");
    const body = { refundNo: "r-1", amount: 100, ...reason };
    return {
      by: root,
      path: `/api/orders/${appId}/b-1/refunds`,
      body,
      other: { ...body, amount: 200 },
      answersWithState: true,
    };
  },
  "POST /api/orders/{appId}/{bizNo}/refunds/{refundNo}/sync": async ({ ports, appId, han, root }) => {
    await aPaidOrder(ports, appId, "b-1");
    ports.wallets.WALLET_A.holdNextRefund();
    await han.post(`/api/orders/${appId}/b-1/refunds`, { refundNo: "r-1", amount: 100, ...reason });
    const path = `/api/orders/${appId}/b-1/refunds/r-1/sync`;
    return { by: root, path, body: reason, other: { reason: "other" }, answersWithState: true };
  },
  "POST /api/orders/{appId}/{bizNo}/refunds/{refundNo}/withdraw": (shop) => ofUnsentRefund(shop, "withdraw"),
  "POST /api/orders/{appId}/{bizNo}/refunds/{refundNo}/pay-out": async ({ ports, appId, root }) => {
    await anAbnormalRefund(ports, await aPaidOrder(ports, appId, "b-1"), "r-1");
    const path = `/api/orders/${appId}/b-1/refunds/r-1/pay-out`;
    const body = { payTo: "merchant", ...reason };
    return { by: root, path, body, other: { ...body, reason: "other" }, answersWithState: true };
  },
  "POST /api/orders/{appId}/{bizNo}/refunds/{refundNo}/settle": (shop) => ofUnsentRefund(shop, "settle"),
  "POST /api/orders/{appId}/{bizNo}/refunds/adopt": async ({ ports, appId, root }) => {
    await aConsoleRefund(ports, await aPaidOrder(ports, appId, "b-1"), "console-1");
    const path = `/api/orders/${appId}/b-1/refunds/adopt`;
    const body = { walletRefundNo: "console-1", ...reason };
    return { by: root, path, body, other: { ...body, reason: "other" }, answersWithState: true };
  },
  "POST /api/refund-approvals/{id}/approve": async (shop) => {
    const path = `/api/refund-approvals/${await aWaitingApproval(shop)}/approve`;
    return { by: shop.root, path, body: reason, other: { reason: "other" }, answersWithState: true };
  },
  "POST /api/refund-approvals/{id}/reject": async (shop) => {
    const path = `/api/refund-approvals/${await aWaitingApproval(shop)}/reject`;
    return { by: shop.root, path, body: reason, other: { reason: "other" } };
  },
  "POST /api/bill-days/{day}/{payChannel}/{appEnv}/{accountId}/compare": async ({
    ports,
    appId,
    root,
    suffix,
  }) => {
    const now = ports.clock.now();
    const accountId = `billed-${suffix}`;
    const tool = { id: accountId, appId, accountId, appEnv: "DEV", gmtCreate: now - 2 * DAY } as const;
    await expectOk(ports.payTools.put(anAccount({ ...tool, payChannel: "WALLET_A" })));
    const path = `/api/bill-days/${lastBillDay(now)}/WALLET_A/DEV/${accountId}/compare`;
    return { by: root, path, body: {}, other: {}, lease: policy.billDeadline };
  },
  "POST /api/bill-exceptions/{id}/resolve": async ({ ports, root, suffix }) => {
    const found = aFoundException({ id: `exception-${suffix}` });
    await expectOk(ports.billExceptions.report([found]));
    const path = `/api/bill-exceptions/${found.id}/resolve`;
    return { by: root, path, body: { note: "paid" }, other: { note: "other" } };
  },
  "POST /api/bill-exceptions/{id}/not-ours": async ({ ports, root, suffix }) => {
    const { order: _none, ...found } = aFoundException({ id: `exception-${suffix}` });
    await expectOk(ports.billExceptions.report([{ ...found, kind: "PAYMENT_NOT_HERE" }]));
    const path = `/api/bill-exceptions/${found.id}/not-ours`;
    return { by: root, path, body: { note: "of another shop" }, other: { note: "other" } };
  },
  "POST /api/bill-exceptions/{id}/assign": async ({ ports, appId, root, suffix }) => {
    await anOrder(ports, appId, "b-1");
    const { order: _none, ...found } = aFoundException({ id: `exception-${suffix}` });
    await expectOk(ports.billExceptions.report([{ ...found, kind: "PAYMENT_NOT_HERE" }]));
    const path = `/api/bill-exceptions/${found.id}/assign`;
    const body = { appId, bizNo: "b-1", note: "paid at the till" };
    return { by: root, path, body, other: { ...body, note: "other" } };
  },
  "POST /api/bill-exceptions/{id}/adopt": async ({ ports, appId, root, suffix }) => {
    const order = await aPaidOrder(ports, appId, "b-1");
    await aConsoleRefund(ports, order, "console-1");
    const numbers = { id: `exception-${suffix}`, outTradeNo: order.id, refundNo: "console-1" };
    const found = aFoundException({ ...numbers, kind: "REFUND_NOT_HERE", order: { appId, bizNo: "b-1" } });
    await expectOk(ports.billExceptions.report([{ ...found, amountThere: 100 }]));
    const path = `/api/bill-exceptions/${found.id}/adopt`;
    return { by: root, path, body: { note: "seen" }, other: { note: "other" }, answersWithState: true };
  },
  "POST /api/bill-exceptions/resolve": async ({ ports, root, suffix }) => {
    const found = [aFoundException({ id: `a-${suffix}` }), aFoundException({ id: `b-${suffix}` })];
    await expectOk(ports.billExceptions.report(found));
    const body = { ids: found.map((one) => one.id), note: "paid" };
    return {
      by: root,
      path: "/api/bill-exceptions/resolve",
      body,
      other: { ...body, note: "other" },
      answersWithState: true,
    };
  },
  "POST /api/setup/apps": async ({ root }) => ({
    by: root,
    path: "/api/setup/apps",
    body: { name: "Shop", ...reason },
    other: { name: "Other", ...reason },
    secret: "appSecret",
  }),
  "POST /api/setup/apps/{appId}/rotate": async ({ root, appId }) => ({
    by: root,
    path: `/api/setup/apps/${appId}/rotate`,
    body: { overlap: 1_000, ...reason },
    other: { overlap: 2_000, ...reason },
    secret: "appSecret",
  }),
  "POST /api/setup/apps/{appId}/rules": async ({ root, appId }) => ({
    by: root,
    path: `/api/setup/apps/${appId}/rules`,
    body: { accountBased: false, ...reason },
    other: { accountBased: true, ...reason },
  }),
  "POST /api/setup/apps/{appId}/disable": async ({ root, appId }) => ({
    by: root,
    path: `/api/setup/apps/${appId}/disable`,
    body: reason,
    other: { reason: "other" },
  }),
  "POST /api/setup/apps/{appId}/enable": async ({ root, appId }) => ({
    by: root,
    path: `/api/setup/apps/${appId}/enable`,
    body: reason,
    other: { reason: "other" },
  }),
  "POST /api/setup/pay-tools/{id}/change": async ({ ports, root, appId }) => {
    const tool = anAccount({ appId, payChannel: "WALLET_B" });
    await expectOk(ports.payTools.put(tool));
    const path = `/api/setup/pay-tools/${tool.id}/change`;
    const body = { credentials: { apiKey: "new" }, ...reason };
    return { by: root, path, body, other: { ...body, reason: "other" } };
  },
  "POST /api/setup/service-types": async ({ root, appId }) => {
    const body = { appId, serviceName: "Month", durationMs: 1_000, ...reason };
    return { by: root, path: "/api/setup/service-types", body, other: { ...body, durationMs: 2_000 } };
  },
  "POST /api/apps/{appId}/service-types/{serviceTypeNo}/rename": async (shop) =>
    ofServiceType(shop, "rename", { serviceName: "Year", ...reason }),
  "POST /api/apps/{appId}/service-types/{serviceTypeNo}/retire": async (shop) =>
    ofServiceType(shop, "retire", reason),
  "POST /api/apps/{appId}/service-types/{serviceTypeNo}/restore": async (shop) =>
    ofServiceType(shop, "restore", reason),
  "POST /api/setup/downloads-clients": async ({ root, appId }) => {
    const body = { appId, dailyLimit: 10, ...reason };
    return { by: root, path: "/api/setup/downloads-clients", body, other: { ...body, dailyLimit: 11 } };
  },
  "POST /api/setup/downloads-clients/{clientId}/limit": async (shop) =>
    ofClient(shop, "limit", { dailyLimit: 11 }, { dailyLimit: 12 }),
  "POST /api/setup/downloads-clients/{clientId}/disable": async (shop) => ofClient(shop, "disable"),
  "POST /api/setup/downloads-clients/{clientId}/enable": async (shop) => ofClient(shop, "enable"),
  "POST /api/setup/downloads-clients/{clientId}/rotate": async (shop) =>
    ofClient(shop, "rotate", { overlap: 0 }, { overlap: 1 }),
  "POST /api/setup/stores": async ({ root, nameFor }) => {
    const body = { store: nameFor("new"), ...reason };
    return { by: root, path: "/api/setup/stores", body, other: { ...body, reason: "other" } };
  },
  "POST /api/setup/stores/{store}/alias": async (shop) =>
    ofStore(shop, "alias", { alias: shop.nameFor("alias") }),
  "POST /api/setup/stores/{store}/rename": async (shop) =>
    ofStore(shop, "rename", { to: shop.nameFor("renamed") }),
  "POST /api/setup/stores/{store}/merge": async (shop) =>
    ofStore(shop, "merge", { into: shop.nameFor("into"), days: "sum" }),
  "POST /api/downloads/set": async (shop) => ofDays(shop, "set", { newDownloads: 8, updateDownloads: 9 }),
  "POST /api/downloads/delete": async (shop) => ofDays(shop, "delete", {}),
  "POST /api/operators": async ({ root, nameFor }) => {
    const body = { name: nameFor("li"), role: "support", ...reason };
    return {
      by: root,
      path: "/api/operators",
      body,
      other: { ...body, role: "viewer" },
      secret: "password",
    };
  },
  "POST /api/operators/{name}/role": async ({ root, nameFor }) => ({
    by: root,
    path: `/api/operators/${nameFor("han")}/role`,
    body: { role: "support", ...reason },
    other: { role: "viewer", ...reason },
  }),
  "POST /api/operators/{name}/disable": async ({ root, nameFor }) => ({
    by: root,
    path: `/api/operators/${nameFor("han")}/disable`,
    body: reason,
    other: { reason: "other" },
  }),
  "POST /api/operators/{name}/enable": async ({ root, nameFor }) => ({
    by: root,
    path: `/api/operators/${nameFor("han")}/enable`,
    body: reason,
    other: { reason: "other" },
  }),
  "POST /api/operators/{name}/reset": async ({ root, nameFor }) => ({
    by: root,
    path: `/api/operators/${nameFor("han")}/reset`,
    body: reason,
    other: { reason: "other" },
    secret: "password",
  }),
};

async function ofUnsentRefund({ ports, appId, root }: Shop, name: string): Promise<Case> {
  await anUnsentRefund(ports, await aPaidOrder(ports, appId, "b-1"), "r-1");
  const path = `/api/orders/${appId}/b-1/refunds/r-1/${name}`;
  return { by: root, path, body: reason, other: { reason: "other" }, answersWithState: true };
}

/** Creates two customers with phone numbers, and a session of the first. */
async function ofCustomer({ ports, root, appId }: Shop, change: string, body: object): Promise<Case> {
  const numbers = { "cus-1": "+8613800138000", "cus-2": "+8613700137000" };
  for (const [customerId, number] of Object.entries(numbers)) {
    const hashes = ports.digest.keyed(`phone\n${appId}\n${number}`);
    await expectOk(ports.sessions.identify(appId, hashes, customerId, 1));
  }
  const times = { gmtCreate: ports.clock.now(), expiresAt: ports.clock.now() + 1_000_000 };
  const session = { appId, customerId: "cus-1", tokenHash: "a".repeat(64), ...times };
  await expectOk(ports.sessions.open(session, 5));
  const path = `/api/customers/${appId}/cus-1/${change}`;
  return { by: root, path, body: { ...body }, other: { ...body, reason: "other" } };
}

async function ofServiceType({ ports, root, appId }: Shop, change: string, body: object): Promise<Case> {
  const type = { appId, serviceTypeNo: "svt", serviceName: "Month", durationMs: 1_000, gmtCreate: 1 };
  await expectOk(ports.serviceTypes.insertOnce(type));
  const path = `/api/apps/${appId}/service-types/svt/${change}`;
  return { by: root, path, body, other: { ...body, reason: "other" } };
}

async function ofClient(
  { root, appId, ports, nameFor }: Shop,
  change: string,
  body: object = {},
  other: object = body,
): Promise<Case> {
  const clientId = `reports-client-${nameFor("r")}`;
  await expectOk(createDownloadsClient(ports, { appId, dailyLimit: 10, clientId }));
  const path = `/api/setup/downloads-clients/${clientId}/${change}`;
  const otherReason = other === body ? { reason: "other" } : reason;
  return { by: root, path, body: { ...body, ...reason }, other: { ...other, ...otherReason } };
}

/** Creates two stores with a count of the same day. */
async function ofStore({ root, appId, ports, nameFor }: Shop, change: string, body: object): Promise<Case> {
  const [store, into] = [nameFor("store"), nameFor("into")];
  await expectOk(ports.downloads.upsert([[store, into].map((name) => aCount({ appId, store: name }))]));
  const path = `/api/setup/stores/${store}/${change}`;
  return { by: root, path, body: { ...body, ...reason }, other: { ...body, reason: "other" } };
}

/** Creates the count of a day. */
async function ofDays({ root, appId, ports, nameFor }: Shop, change: string, body: object): Promise<Case> {
  const count = aCount({ appId, store: nameFor("store") });
  await expectOk(ports.downloads.upsert([[count]]));
  const days = { appId, store: count.store, from: count.date, until: count.date, ...body };
  const path = `/api/downloads/${change}`;
  return { by: root, path, body: { ...days, ...reason }, other: { ...days, reason: "other" } };
}

/** Everything that a change of a test could change a second time. */
async function stateOf({ ports, appId, suffix, nameFor }: Shop) {
  const bizNos = ["b-1", "waiting"].map((bizNo) => ({ appId, bizNo }));
  const [account] = [await expectOk(ports.operators.find(nameFor("li")))];
  return {
    orders: await Promise.all(
      bizNos.map(async (key) => [
        (await expectOk(ports.orders.timeline(key))).length,
        await expectOk(ports.refunds.list(key)),
        await expectOk(ports.refundApprovals.listOfOrder(key)),
      ]),
    ),
    apps: (await expectOk(ports.apps.list())).map(({ appId: one, secrets }) => [one, secrets]),
    payTools: (await expectOk(ports.payTools.listAll())).filter((tool) => tool.appId === appId),
    types: await expectOk(ports.serviceTypes.list(appId)),
    clients: (await expectOk(ports.downloadsClients.list())).filter((client) => client.appId === appId),
    counts: await expectOk(ports.downloads.read(appId, "2026-01-01", "2026-01-31")),
    stores: (await expectOk(ports.downloads.storeNames())).filter(({ name }) => name.endsWith(suffix)),
    customers: await expectOk(ports.sessions.listCustomers({ appId, limit: 10 })),
    sessions: await expectOk(ports.sessions.list(appId, "cus-1")),
    operators: (await expectOk(ports.operators.list())).filter(({ name }) => name.endsWith(suffix)),
    account,
    exceptions: await Promise.all(
      ["exception", "a", "b"].map((one) => expectOk(ports.billExceptions.find(`${one}-${suffix}`))),
    ),
  };
}

/** Returns the entries of one change. */
async function entriesOf({ ports }: Shop, changeId: string) {
  const entries = await expectOk(ports.auditLog.read(0, 10_000));
  return entries.filter(({ change }) => change?.id === changeId);
}

const newId = () => `change-${randomBytes(8).toString("hex")}`;

/** Returns the browser after a change, which may have replaced its session. */
function after(shop: Shop, { by, replacesSession = false }: Case, answer: TestAnswer): Browser {
  return replacesSession && answer.status === 200 ? browserOf(shop.surface, by.name, answer) : by;
}

const failureOf = ({ json }: TestAnswer) =>
  z.object({ error: z.object({ name: z.string() }) }).safeParse(json).data?.error.name;

const inMemory = { ports: async () => memoryPorts({ policy }), close: async () => undefined };

/** One schema of PostgreSQL for all tests. Each test has an app and operators of its own. */
function onPostgres() {
  const schema = `changes_${randomBytes(6).toString("hex")}`;
  const credentialKeys = [{ version: 1, key: randomBytes(32) }];
  let opened: Promise<ReturnType<typeof pgClient>> | undefined;
  const open = async () => {
    const pool = new pg.Pool({ connectionString: inject("databaseUrl"), max: 10 });
    const sql = pgClient(pool, { statementMs: 60_000, idleInTransactionMs: 60_000, connectMs: 60_000 });
    await expectOk(migrate({ sql, schema }));
    return sql;
  };
  return {
    ports: async () => {
      const sql = await (opened ??= open());
      return { ...memoryPorts({ policy }), ...postgresStores({ sql, schema, credentialKeys }) };
    },
    close: async () => {
      const sql = await opened;
      await sql?.script(`drop schema if exists ${schema} cascade`);
      await sql?.close();
    },
  };
}

it("has a case for every change of the route table, and an id for every change", () => {
  expect(Object.keys(CASES).sort()).toEqual(changes.map(nameOf).sort());
  const others = operatorRoutes.filter(({ method, isChange }) => method !== "GET" && !isChange);
  expect(others.map(nameOf).sort()).toEqual([...WITHOUT_ID].sort());
});

/** A process that dies before it stores the outcome of a change. */
function dyingDashboard(ports: MemoryPorts) {
  const append = () => errAsync({ name: "storage.unavailable" } as const);
  return openDashboard({ ...ports, auditLog: { ...ports.auditLog, append } }, { secondFactor: "optional" });
}

describe.each([
  ["in memory", inMemory],
  ["on PostgreSQL", onPostgres()],
] as const)("a change %s", (_storage, { ports: openPorts, close }) => {
  afterAll(close);

  describe.each(Object.entries(CASES))("%s", (_, prepare) => {
    const start = async () => {
      const shop = await aShop(await openPorts());
      return { shop, change: await prepare(shop) };
    };

    it("needs a valid id", async () => {
      const { shop, change } = await start();
      const before = await stateOf(shop);
      const { cookie, csrfToken } = change.by;
      for (const sent of ["", "short", "x".repeat(65), "spaces are not allowed"]) {
        const headers = { cookie, "x-csrf-token": csrfToken, "x-change-id": sent };
        const request = { method: "POST", path: change.path, body: change.body, headers } as const;
        const answer = await send(shop.surface, request);
        expect(answer).toMatchObject({ status: 400, json: { error: { name: "change-id.missing" } } });
      }
      expect(await stateOf(shop)).toEqual(before);
    });

    it("takes effect once if its answer is lost and it is sent again", async () => {
      const { shop, change } = await start();
      const changeId = newId();
      const first = await change.by.post(change.path, change.body, changeId);
      expect(first.status).toBe(200);
      const by = after(shop, change, first);
      const made = await stateOf(shop);
      const [entry, ...more] = await entriesOf(shop, changeId);
      expect(more).toEqual([]);
      expect(entry).toMatchObject({ operator: change.by.name, outcome: "done" });
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const again = await by.post(change.path, change.body, changeId);
        expect(again.status).toBe(200);
        if (change.secret !== undefined) {
          expect(first.json).toHaveProperty(change.secret);
          expect(again.json).not.toHaveProperty(change.secret);
        }
        const { [change.secret ?? ""]: _shown, ...shown } = first.json;
        expect(Object.keys(again.json).sort()).toEqual(Object.keys(shown).sort());
        if (change.answersWithState !== true && change.replacesSession !== true)
          expect(again.json).toEqual(shown);
      }
      expect(await stateOf(shop)).toEqual(made);
      expect(await entriesOf(shop, changeId)).toEqual([entry]);
      const state = await by.get(`/api/changes/${changeId}`);
      expect(state.json).toEqual({
        state: "done",
        action: entry?.action,
        subject: entry?.subject,
        at: entry?.at,
      });
    });

    it("is refused with another body or for another route if its id was used before", async () => {
      const { shop, change } = await start();
      const changeId = newId();
      const first = await change.by.post(change.path, change.body, changeId);
      const by = after(shop, change, first);
      const made = await stateOf(shop);
      const client = { appId: shop.appId, dailyLimit: 77, ...reason };
      const isSame = JSON.stringify(change.other) === JSON.stringify(change.body);
      const asked = isSame ? [] : [await by.post(change.path, change.other, changeId)];
      // Only an admin may create a client. The new operator of the enrolment may not.
      if (change.by === shop.root)
        asked.push(await by.post("/api/setup/downloads-clients", client, changeId));
      for (const answer of asked)
        expect(answer).toMatchObject({ status: 409, json: { error: { name: "change.conflict" } } });
      expect(await stateOf(shop)).toEqual(made);
      expect(await entriesOf(shop, changeId)).toHaveLength(1);
    });

    it("does not disturb an equal id of another operator", async () => {
      const { shop, change } = await start();
      await shop.create(shop.nameFor("an"), "admin");
      const an = await shop.signIn(shop.nameFor("an"));
      const changeId = newId();
      await change.by.post(change.path, change.body, changeId);
      expect((await an.get(`/api/changes/${changeId}`)).json).toEqual({ state: "none" });
      const client = { appId: shop.appId, dailyLimit: 77, ...reason };
      expect((await an.post("/api/setup/downloads-clients", client, changeId)).status).toBe(200);
      expect(await entriesOf(shop, changeId)).toHaveLength(2);
    });

    it("takes effect once for concurrent requests", async () => {
      const { shop, change } = await start();
      const changeId = newId();
      const answers = await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, () => change.by.post(change.path, change.body, changeId)),
      );
      const done = answers.filter(({ status }) => status === 200);
      expect(done.length).toBeGreaterThan(0);
      for (const answer of answers.filter(({ status }) => status !== 200))
        // If the change replaces the session, the session of the other requests has ended.
        expect(["change.running", "session.missing", "session.incomplete"]).toContain(failureOf(answer));
      expect(await entriesOf(shop, changeId)).toMatchObject([{ outcome: "done" }]);
      const made = await stateOf(shop);
      const [first] = done;
      if (first === undefined) throw new Error("No request was answered.");
      if (change.replacesSession !== true)
        expect((await change.by.post(change.path, change.body, changeId)).status).toBe(200);
      expect(await stateOf(shop)).toEqual(made);
    });

    it("is continued with the same id if its process dies before the end", async () => {
      const { shop, change } = await start();
      const { ports } = shop;
      const dead = dyingDashboard(ports);
      const { cookie, csrfToken, name } = change.by;
      const changeId = newId();
      const headers = { cookie, "x-csrf-token": csrfToken, "x-change-id": changeId };
      const request = { method: "POST", path: change.path, body: change.body, headers } as const;
      const lost = await send(dead.surface, request);
      expect([200, 503]).toContain(lost.status);
      const by = after(shop, change, lost);
      const entries = await entriesOf(shop, changeId);
      if (entries.length === 0) {
        expect((await by.get(`/api/changes/${changeId}`)).json).toMatchObject({ state: "running" });
        const early = await by.post(change.path, change.body, changeId);
        expect(failureOf(early)).toBe("change.running");
        const isSame = JSON.stringify(change.other) === JSON.stringify(change.body);
        const other = async () => {
          if (isSame) return;
          const made = await stateOf(shop);
          expect(failureOf(await by.post(change.path, change.other, changeId))).toBe("change.conflict");
          expect(await stateOf(shop)).toEqual(made);
        };
        await other();
        ports.clock.advance(change.lease ?? LEASE);
        await other();
        expect((await by.get(`/api/changes/${changeId}`)).json).toMatchObject({ state: "unknown" });
      }
      expect((await by.post(change.path, change.body, changeId)).status).toBe(200);
      expect(await entriesOf(shop, changeId)).toMatchObject([{ operator: name, outcome: "done" }]);
      expect((await by.get(`/api/changes/${changeId}`)).json).toMatchObject({ state: "done" });
    });
  });

  it("that failed returns the same failure to a repetition", async () => {
    const shop = await aShop(await openPorts());
    await aPaidOrder(shop.ports, shop.appId, "b-1");
    const path = `/api/orders/${shop.appId}/b-1/refunds`;
    const body = { refundNo: "r-1", amount: 9_000, ...reason };
    const changeId = newId();
    const first = await shop.root.post(path, body, changeId);
    expect(failureOf(first)).toBe("refund.exceeds-remaining");
    await aPaidOrder(shop.ports, shop.appId, "b-2");
    const again = await shop.root.post(path, body, changeId);
    const { error } = z
      .object({ error: z.object({ name: z.string(), message: z.string() }) })
      .parse(first.json);
    expect(again).toMatchObject({ status: first.status, json: { error } });
    expect(await entriesOf(shop, changeId)).toMatchObject([{ outcome: "failed" }]);
    const state = await shop.root.get(`/api/changes/${changeId}`);
    expect(state.json).toMatchObject({ state: "failed", failure: error });
  });

  it("that is refused returns the same refusal to a repetition and to a query of its state", async () => {
    const shop = await aShop(await openPorts());
    const approval = await aWaitingApproval(shop);
    const changeId = newId();
    const path = `/api/refund-approvals/${approval}/approve`;
    const first = await shop.han.post(path, reason, changeId);
    expect(failureOf(first)).toBe("refund-approval.own");
    expect(failureOf(await shop.han.post(path, reason, changeId))).toBe("refund-approval.own");
    expect(await entriesOf(shop, changeId)).toMatchObject([{ outcome: "refused" }]);
    const state = await shop.han.get(`/api/changes/${changeId}`);
    expect(state.json).toMatchObject({ state: "refused", failure: { name: "refund-approval.own" } });
  });

  it("that no process completes becomes unknown in the log, and can still be continued", async () => {
    const shop = await aShop(await openPorts());
    const { ports, appId, root } = shop;
    await aPaidOrder(ports, appId, "b-1");
    const dead = dyingDashboard(ports);
    const changeId = newId();
    const path = `/api/orders/${appId}/b-1/refunds`;
    const body = { refundNo: "r-1", amount: 100, ...reason };
    const headers = { cookie: root.cookie, "x-csrf-token": root.csrfToken, "x-change-id": changeId };
    await send(dead.surface, { method: "POST", path, body, headers });
    await expectOk(runHousekeeping(ports));
    expect(await entriesOf(shop, changeId)).toEqual([]);
    ports.clock.advance(LEASE + 10 * 60_000);
    await expectOk(runHousekeeping(ports));
    expect(await entriesOf(shop, changeId)).toMatchObject([
      { outcome: "unknown", operator: root.name, ...reason },
    ]);
    expect((await root.get(`/api/changes/${changeId}`)).json).toMatchObject({ state: "unknown" });
    const again = await root.post(path, body, changeId);
    expect(again).toMatchObject({ status: 200, json: { refund: { refundNo: "r-1", amount: 100 } } });
    expect(await expectOk(ports.refunds.list({ appId, bizNo: "b-1" }))).toHaveLength(1);
    expect(ports.wallets.WALLET_A.balance()).toBe(500);
    expect(await entriesOf(shop, changeId)).toMatchObject([{ outcome: "unknown" }, { outcome: "done" }]);
  });

  it("that paid a refund out is done, even if the wallet has reported the result since", async () => {
    const shop = await aShop(await openPorts());
    const { ports, appId, root } = shop;
    const order = await aPaidOrder(ports, appId, "b-1");
    await anAbnormalRefund(ports, order, "r-1");
    const dead = dyingDashboard(ports);
    const changeId = newId();
    const path = `/api/orders/${appId}/b-1/refunds/r-1/pay-out`;
    const body = { payTo: "merchant", ...reason };
    const headers = { cookie: root.cookie, "x-csrf-token": root.csrfToken, "x-change-id": changeId };
    await send(dead.surface, { method: "POST", path, body, headers });
    ports.wallets.WALLET_A.endRefund(order.id, `${order.id}-r-1`, "CONFIRMED");
    ports.clock.advance(LEASE);
    await expectOk(syncRefund(ports, appId, { bizNo: "b-1", refundNo: "r-1" }));
    expect((await root.post(path, body, changeId)).status).toBe(200);
    expect(await entriesOf(shop, changeId)).toMatchObject([{ outcome: "done" }]);
    expect((await root.post(path, body, newId())).status).toBe(409);
  });

  it("can be queried, and a query does not count as a use of the session", async () => {
    const shop = await aShop(await openPorts());
    for (let minute = 0; minute < 60; minute += 10) {
      await shop.han.get(`/api/changes/${newId()}`);
      shop.ports.clock.advance(10 * 60_000);
    }
    expect(failureOf(await shop.han.get("/api/orders"))).toBe("session.missing");
  });
});
