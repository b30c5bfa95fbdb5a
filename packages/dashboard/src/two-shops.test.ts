import { aCount, aFoundException, aKeptBill, aKeptBillLine, anApp, expectOk } from "@tillkit/contract-tests";
import {
  configurePayTool,
  createDownloadsClient,
  createOrder,
  createOrderInput,
  createServiceType,
  lastBillDay,
  orThrow,
  policyWith,
  parseInput,
  syncOrder,
} from "@tillkit/core";
import { headersIn } from "@tillkit/core/http";
import {
  permissionsOf,
  setOperatorDisabled,
  setOperatorRole,
  operatorRoleInput,
} from "@tillkit/core/operators";
import { OPERATOR_ROLES, type OperatorRole } from "@tillkit/core/ports";
import { memoryPorts, type MemoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { OperatorRoute } from "./api/route.js";
import { operatorRoutes } from "./api/routes.js";
import { type Browser, openDashboard, sendForText } from "./testing/open-dashboard.js";
import {
  aConsoleRefund,
  anAbnormalRefund,
  anUnsentRefund,
  anOrder,
  aPaidOrder,
} from "./testing/paid-orders.js";

const DAY = 86_400_000;
const SHOPS = ["alpha", "beta"] as const;
type Shop = (typeof SHOPS)[number];
/** The marks. Every text of a shop contains the mark of this shop, and never the other mark. */
const MARKS = /alpha|beta/g;
const appOf = (shop: Shop) => `app-${shop}`;
const otherThan = (shop: Shop): Shop => (shop === "alpha" ? "beta" : "alpha");

const waiting = z.object({ approval: z.object({ id: z.string() }) });

/** Creates a paid order of a mini-program, whose delivery an operator can report. */
async function aMiniProgramOrder(ports: MemoryPorts, appId: string, bizNo: string): Promise<void> {
  const terms = { bizNo, customerIdentity: "user-2", amount: 600, goodsTitle: "Month" };
  const opening = { payChannel: "WALLET_A", paySource: "JSAPI", payerId: "oUpF8uMuAJO" };
  const input = orThrow(parseInput(createOrderInput(ports.policy), { ...terms, ...opening }));
  const { order } = await expectOk(createOrder(ports, appId, input));
  ports.wallets.WALLET_A.pay(order.id);
  await expectOk(syncOrder(ports, appId, bizNo));
}

/** Opens a dashboard with two shops. Each has one object of each kind, and its own operator. */
async function twoShops() {
  const ports = memoryPorts({ policy: policyWith({ refundApprovalOver: 300 }) });
  const dashboard = openDashboard(ports);
  const { create, signIn } = dashboard;
  const now = ports.clock.now();
  const day = lastBillDay(now);
  await create("root", "admin");
  const root = await signIn("root");
  const ids = new Map<string, string>();
  for (const shop of SHOPS) {
    const appId = `app-${shop}`;
    await expectOk(ports.apps.insertOnce(anApp({ appId, name: `Shop ${shop}` })));
    const credentials = { expiresAt: String(now + 10 * DAY), shipments: "VIRTUAL" };
    for (const payChannel of ["WALLET_A", "WALLET_B"] as const) {
      const names = {
        accountId: `merchant-${shop}`,
        walletAppId: `wx-${shop}`,
        appName: "",
        appPackageName: "",
      };
      const tool = { ...names, payChannel, appSignature: "", appEnv: "DEV", credentials } as const;
      ids.set(`tool-${shop}`, (await expectOk(configurePayTool(ports, appId, tool))).payTool.id);
    }
    await anOrder(ports, appId, `open-${shop}`);
    for (const bizNo of ["paid", "approve", "reject"]) await aPaidOrder(ports, appId, `${bizNo}-${shop}`);
    await aMiniProgramOrder(ports, appId, `mini-${shop}`);
    const unsent = await aPaidOrder(ports, appId, `unsent-${shop}`);
    await anAbnormalRefund(ports, unsent, `abnormal-${shop}`);
    await anUnsentRefund(ports, unsent, `unsent-${shop}`);
    await aConsoleRefund(ports, unsent, `console-${shop}`);
    const refund = { amount: 100, reason: "bought twice" };
    await root.post(`/api/orders/${appId}/paid-${shop}/refunds`, { ...refund, refundNo: `refund-${shop}` });
    for (const name of ["approve", "reject"]) {
      const path = `/api/orders/${appId}/${name}-${shop}/refunds`;
      const { json } = await root.post(path, { ...refund, amount: 400, refundNo: `${name}-${shop}` });
      ids.set(`${name}-${shop}`, waiting.parse(json).approval.id);
    }
    for (const [customerId, number] of [
      [`cus-${shop}`, "+8613800138000"],
      [`second-${shop}`, "+8613700137000"],
    ] as const) {
      const hashes = ports.digest.keyed(`phone\n${appId}\n${number}`);
      await expectOk(ports.sessions.identify(appId, hashes, customerId, now));
    }
    const alarm = { type: "LATE_PAYMENT", at: now, actor: "wallet", reason: "", alarm: true } as const;
    await expectOk(ports.orders.record({ appId, bizNo: `open-${shop}` }, alarm));
    const type = { serviceTypeNo: `type-${shop}`, serviceName: `Month ${shop}`, durationMs: DAY };
    await expectOk(createServiceType(ports, appId, type));
    const client = { appId, clientId: `reports-client-${shop}`, dailyLimit: 10 };
    await expectOk(createDownloadsClient(ports, client));
    await expectOk(ports.downloads.upsert([[aCount({ appId, store: `store-${shop}`, date: day })]]));
    const order = { appId, bizNo: `paid-${shop}` };
    const exception = aFoundException({
      outTradeNo: `out-${shop}`,
      order,
      day,
      accountId: `merchant-${shop}`,
    });
    await expectOk(ports.billExceptions.report([exception]));
    ids.set(`exception-${shop}`, exception.id);
    const bill = aKeptBill({ accountId: `merchant-${shop}`, day });
    await expectOk(ports.keptBills.begin(bill.runId, bill, now));
    await expectOk(ports.keptBills.add(bill.runId, [aKeptBillLine({ ...order, outTradeNo: `out-${shop}` })]));
    await expectOk(ports.keptBills.keep(bill, undefined, now));
    await create(`admin-${shop}`, "admin", [appId]);
  }
  const by = { operator: "root", reason: "moved", from: "host", traceId: "" };
  const setRights = async (name: string, role: OperatorRole, apps: readonly string[]) => {
    const input = orThrow(parseInput(operatorRoleInput(), { name, role, apps: [...apps] }));
    await expectOk(setOperatorRole(ports, input, by));
  };
  const setApps = (name: string, apps: readonly string[]) => setRights(name, "admin", apps);
  const disable = (name: string) => expectOk(setOperatorDisabled(ports, name, true, by));
  const idOf = (name: string) => ids.get(name) ?? "";
  return { ...dashboard, root, day, idOf, setRights, setApps, disable };
}

type Shops = Awaited<ReturnType<typeof twoShops>>;

/** Returns the marks in the answer to a read, each once. */
async function marksIn(
  { surface }: Pick<Shops, "surface">,
  { cookie }: Browser,
  [path, query]: readonly [string, string],
): Promise<{ readonly status: number; readonly marks: readonly string[] }> {
  const { status, text } = await sendForText(surface, { path, query, headers: { cookie } });
  return { status, marks: [...new Set(text.match(MARKS))].sort() };
}

/** A read that contains the texts of every shop that the operator sees. */
const LISTS: Readonly<Record<string, (day: string) => string>> = {
  "/api/today": () => "",
  "/api/orders": () => "",
  "/api/orders/search": () => "q=user-1",
  "/api/orders.csv": () => "",
  "/api/events": () => "from=0",
  "/api/refunds": () => "",
  "/api/refunds.csv": () => "",
  "/api/refund-approvals": () => "",
  "/api/bill-days": (day) => `from=${day}&until=${day}`,
  "/api/bill-exceptions": () => "",
  "/api/bill-exceptions.csv": () => "",
  "/api/bill-report": (day) => `period=${day}&appEnv=DEV`,
  "/api/bill-report.csv": (day) => `period=${day}&appEnv=DEV&lines=true`,
  "/api/downloads": (day) => `from=${day}&until=${day}`,
  "/api/downloads.csv": (day) => `from=${day}&until=${day}`,
  "/api/downloads/coverage": () => "",
  "/api/downloads/coverage.csv": () => "",
  "/api/setup/apps": () => "",
  "/api/setup/pay-tools": () => "",
  "/api/setup/downloads-clients": () => "",
  "/api/setup/stores": () => "",
  "/api/audit": () => "",
  "/api/audit.csv": () => "",
};

/** A read of one thing of a shop. */
const SINGLE: Readonly<Record<string, (shop: Shop, day: string) => readonly [string, string]>> = {
  "/api/orders/{appId}/{bizNo}": (shop) => [`/api/orders/app-${shop}/paid-${shop}`, ""],
  "/api/orders/{appId}/{bizNo}/explanation": (shop) => [
    `/api/orders/app-${shop}/unsent-${shop}/explanation`,
    "",
  ],
  "/api/customers/{appId}/{customerIdentity}": (shop) => [`/api/customers/app-${shop}/user-1`, ""],
  "/api/customers/{appId}/{customerIdentity}/export": (shop) => [
    `/api/customers/app-${shop}/user-1/export`,
    "",
  ],
  "/api/setup/service-types": (shop) => ["/api/setup/service-types", `app=app-${shop}`],
  "/api/downloads by client": (shop, day) => [
    "/api/downloads",
    `clientId=reports-client-${shop}&from=${day}&until=${day}`,
  ],
  "/api/downloads.csv by client": (shop, day) => [
    "/api/downloads.csv",
    `clientId=reports-client-${shop}&from=${day}&until=${day}`,
  ],
  "/api/downloads/coverage by client": (shop) => [
    "/api/downloads/coverage",
    `clientId=reports-client-${shop}`,
  ],
  "/api/downloads/coverage.csv by client": (shop) => [
    "/api/downloads/coverage.csv",
    `clientId=reports-client-${shop}`,
  ],
};

/** A read of what belongs to every app. Only an operator of every app may have the answer. */
const SHARED: Readonly<Record<string, (shop: Shop) => readonly [string, string]>> = {
  "/api/setup/stores/{store}/merge": (shop) => [
    `/api/setup/stores/store-${shop}/merge`,
    `into=store-${otherThan(shop)}`,
  ],
};

/** The reads that are not about shops, and those that only operators of every app may make. */
const OTHERS = [
  "/api/audit/check",
  "/api/changes/{changeId}",
  "/api/event-deliveries",
  "/api/operators",
  "/api/session",
  "/api/setup/test-numbers",
  "/api/status",
];

it("has a case for every read", () => {
  const paths = operatorRoutes.filter(({ method }) => method === "GET").map(({ path }) => path);
  const cases = [LISTS, SINGLE, SHARED].flatMap((table) => Object.keys(table));
  const known = [...cases, "/api/order-events", ...OTHERS];
  expect(paths.filter((path) => !known.includes(path))).toEqual([]);
});

describe.each(Object.entries(LISTS))("GET %s", (path, queryOf) => {
  it("has what the operator sees, also if another operator has read it just before", async () => {
    const shops = await twoShops();
    const query = queryOf(shops.day);
    const browsers = { alpha: await shops.signIn("admin-alpha"), beta: await shops.signIn("admin-beta") };
    for (const _round of [1, 2]) {
      for (const shop of SHOPS) {
        const browser = browsers[shop];
        expect(await marksIn(shops, browser, [path, query])).toEqual({ status: 200, marks: [shop] });
      }
      expect(await marksIn(shops, shops.root, [path, query])).toEqual({ status: 200, marks: [...SHOPS] });
    }
  });

  it("has nothing of another shop that the operator names", async () => {
    const shops = await twoShops();
    const alpha = await shops.signIn("admin-alpha");
    for (const name of ["appId", "app"]) {
      const query = [queryOf(shops.day), `${name}=app-beta`].filter((one) => one !== "").join("&");
      const { status, marks } = await marksIn(shops, alpha, [path, query]);
      expect(marks.filter((mark) => mark === "beta")).toEqual([]);
      expect([200, 404]).toContain(status);
    }
  });
});

it.each(Object.entries(SINGLE))("GET %s has nothing of another shop", async (_, requestFor) => {
  const shops = await twoShops();
  const alpha = await shops.signIn("admin-alpha");
  const own = await marksIn(shops, alpha, requestFor("alpha", shops.day));
  expect(own).toEqual({ status: 200, marks: ["alpha"] });
  const other = await marksIn(shops, alpha, requestFor("beta", shops.day));
  expect(other).toEqual({ status: 404, marks: [] });
});

it.each(Object.entries(SHARED))("GET %s is refused to an operator of one shop", async (_, requestFor) => {
  const shops = await twoShops();
  const alpha = await shops.signIn("admin-alpha");
  for (const shop of SHOPS) {
    expect(await marksIn(shops, alpha, requestFor(shop))).toEqual({ status: 403, marks: [] });
    expect(await marksIn(shops, shops.root, requestFor(shop))).toMatchObject({ status: 200 });
  }
});

it("sums of a customer contain the orders of one shop only", async () => {
  const { signIn } = await twoShops();
  const alpha = await signIn("admin-alpha");
  const { json } = await alpha.get("/api/customers/app-alpha/user-1");
  expect(json["totals"]).toMatchObject({ orders: 5, paid: 2_400, refunded: 100 });
});

it("the figures of one shop count what belongs to it", async () => {
  const { signIn, root } = await twoShops();
  const sumsOf = async (browser: Browser, query = "") => {
    const { json } = await browser.get("/api/today", query);
    const { pending, alarms, approvals, credentials } = json;
    return { pending, alarms, approvals, credentials: Array.isArray(credentials) ? credentials.length : 0 };
  };
  const ofOne = {
    pending: { total: { count: 1 } },
    alarms: { count: 2 },
    approvals: { count: 2 },
    credentials: 2,
  };
  for (const shop of SHOPS) {
    expect(await sumsOf(await signIn(`admin-${shop}`))).toMatchObject(ofOne);
    expect(await sumsOf(root, `appId=app-${shop}`)).toMatchObject(ofOne);
  }
  expect(await sumsOf(root)).toMatchObject({
    pending: { total: { count: 2 } },
    alarms: { count: 4 },
    approvals: { count: 4 },
    credentials: 4,
  });
});

it.each(["first", "last"])(
  "the events of several orders are refused if the %s one is another shop's",
  async (place) => {
    const { surface, signIn } = await twoShops();
    const { cookie } = await signIn("admin-alpha");
    const [own, other] = [
      { appId: "app-alpha", bizNo: "paid-alpha" },
      { appId: "app-beta", bizNo: "paid-beta" },
    ];
    const orders = place === "first" ? [other, own] : [own, other];
    // The body is not read, because the body of an accepted request never ends.
    const { status } = await surface.handle({
      method: "GET",
      path: "/api/order-events",
      query: `orders=${JSON.stringify(orders)}`,
      peer: "192.0.2.1",
      headers: headersIn({ cookie }),
      body: new Uint8Array(),
    });
    expect(status).toBe(404);
  },
);

const EXPORTS = operatorRoutes.filter(({ path }) => path.endsWith(".csv"));

/** The reasons why a running export of an operator must end. */
const LOSSES: Readonly<Record<string, (shops: Shops, route: OperatorRoute) => Promise<unknown>>> = {
  "loses one of two shops": ({ setApps }) => setApps("both", ["app-alpha"]),
  "is disabled": ({ disable }) => disable("both"),
  "gets a role without the right to it": ({ setRights }, route) =>
    setRights("both", lowerRole(route) ?? "viewer", SHOPS.map(appOf)),
};

/** Returns the highest role that must not use the route. */
function lowerRole({ allowed }: OperatorRoute): OperatorRole | undefined {
  return OPERATOR_ROLES.findLast((role) => !permissionsOf({ role }).some((one) => one === allowed));
}

describe.each(EXPORTS.map((route) => [route.path, route] as const))("GET %s", (path, route) => {
  const losses = Object.keys(LOSSES).filter(
    (loss) => !loss.includes("role") || lowerRole(route) !== undefined,
  );

  it.each(losses)("breaks off if the operator %s", async (loss) => {
    const shops = await twoShops();
    const { surface, ports, create, signIn, day } = shops;
    await create("both", "admin", SHOPS.map(appOf));
    const { cookie } = await signIn("both");
    const { body } = await surface.handle({
      method: "GET",
      path,
      query: LISTS[path]?.(day) ?? "",
      peer: "192.0.2.1",
      headers: headersIn({ cookie }),
      body: new Uint8Array(),
    });
    if (typeof body === "string" || body instanceof Uint8Array)
      throw new TypeError("The reply is no stream.");
    const texts = body[Symbol.asyncIterator]();
    await texts.next();
    await LOSSES[loss]?.(shops, route);
    ports.clock.advance(15_000);
    await expect(texts.next()).rejects.toThrow("permission.denied");
  });
});

const ORDER = "/api/orders/{appId}/{bizNo}";
const CLIENT = "/api/setup/downloads-clients/{clientId}";
const clientOf = (shop: string) => `/api/setup/downloads-clients/reports-client-${shop}`;
const STORE = "/api/setup/stores/{store}";
const storeOf = (shop: Shop) => `/api/setup/stores/store-${shop}`;
const daysOf = (shop: Shop, day: string) => ({
  appId: `app-${shop}`,
  store: `store-${shop}`,
  from: day,
  until: day,
});
const CUSTOMER = "/api/customers/{appId}/{customerIdentity}";
const TYPE = "/api/apps/{appId}/service-types/{serviceTypeNo}";
const reason = "test";

/** A change of something of a shop: its path and its body. */
type ShopChange = (shop: Shop, idOf: Shops["idOf"], day: string) => readonly [string, object];
const CHANGES: Readonly<Record<string, ShopChange>> = {
  [`${ORDER}/sync`]: (shop) => [`/api/orders/app-${shop}/open-${shop}/sync`, { reason }],
  [`${ORDER}/close`]: (shop) => [`/api/orders/app-${shop}/open-${shop}/close`, { reason }],
  [`${ORDER}/acknowledge`]: (shop) => [`/api/orders/app-${shop}/open-${shop}/acknowledge`, { reason }],
  [`${ORDER}/report-shipment`]: (shop) => [
    `/api/orders/app-${shop}/mini-${shop}/report-shipment`,
    { reason },
  ],
  [`${ORDER}/refunds`]: (shop) => [
    `/api/orders/app-${shop}/paid-${shop}/refunds`,
    { refundNo: `second-${shop}`, amount: 100, reason },
  ],
  [`${ORDER}/refunds/{refundNo}/sync`]: (shop) => [
    `/api/orders/app-${shop}/paid-${shop}/refunds/refund-${shop}/sync`,
    { reason },
  ],
  [`${ORDER}/refunds/{refundNo}/withdraw`]: (shop) => [
    `/api/orders/app-${shop}/unsent-${shop}/refunds/unsent-${shop}/withdraw`,
    { reason },
  ],
  [`${ORDER}/refunds/{refundNo}/pay-out`]: (shop) => [
    `/api/orders/app-${shop}/unsent-${shop}/refunds/abnormal-${shop}/pay-out`,
    { payTo: "merchant", reason },
  ],
  [`${ORDER}/refunds/{refundNo}/settle`]: (shop) => [
    `/api/orders/app-${shop}/unsent-${shop}/refunds/unsent-${shop}/settle`,
    { reason },
  ],
  [`${ORDER}/refunds/adopt`]: (shop) => [
    `/api/orders/app-${shop}/unsent-${shop}/refunds/adopt`,
    { walletRefundNo: `console-${shop}`, reason },
  ],
  [`${CUSTOMER}/sessions/end`]: (shop) => [`/api/customers/app-${shop}/cus-${shop}/sessions/end`, { reason }],
  [`${CUSTOMER}/erase`]: (shop) => [
    `/api/customers/app-${shop}/cus-${shop}/erase`,
    { reason, typedIdentity: `cus-${shop}` },
  ],
  [`${CUSTOMER}/numbers/detach`]: (shop) => [
    `/api/customers/app-${shop}/cus-${shop}/numbers/detach`,
    { mobileNo: "13800138000", reason },
  ],
  [`${CUSTOMER}/numbers/move`]: (shop) => [
    `/api/customers/app-${shop}/cus-${shop}/numbers/move`,
    { from: "13800138000", to: "13900139000", reason },
  ],
  [`${CUSTOMER}/merge`]: (shop) => [
    `/api/customers/app-${shop}/cus-${shop}/merge`,
    { into: `second-${shop}`, reason },
  ],
  "/api/refund-approvals/{id}/approve": (shop, idOf) => [
    `/api/refund-approvals/${idOf(`approve-${shop}`)}/approve`,
    { reason },
  ],
  "/api/refund-approvals/{id}/reject": (shop, idOf) => [
    `/api/refund-approvals/${idOf(`reject-${shop}`)}/reject`,
    { reason },
  ],
  "/api/setup/apps/{appId}/rotate": (shop) => [`/api/setup/apps/app-${shop}/rotate`, { overlap: 0, reason }],
  "/api/setup/apps/{appId}/rules": (shop) => [
    `/api/setup/apps/app-${shop}/rules`,
    { accountBased: false, reason },
  ],
  "/api/setup/apps/{appId}/disable": (shop) => [`/api/setup/apps/app-${shop}/disable`, { reason }],
  "/api/setup/apps/{appId}/enable": (shop) => [`/api/setup/apps/app-${shop}/enable`, { reason }],
  "/api/setup/pay-tools/{id}/change": (shop, idOf) => [
    `/api/setup/pay-tools/${idOf(`tool-${shop}`)}/change`,
    { appName: `Name ${shop}`, reason },
  ],
  "/api/setup/service-types": (shop) => [
    "/api/setup/service-types",
    {
      appId: `app-${shop}`,
      serviceTypeNo: `new-${shop}`,
      serviceName: `Year ${shop}`,
      durationMs: DAY,
      reason,
    },
  ],
  [`${TYPE}/rename`]: (shop) => [
    `/api/apps/app-${shop}/service-types/type-${shop}/rename`,
    { serviceName: `Week ${shop}`, reason },
  ],
  [`${TYPE}/retire`]: (shop) => [`/api/apps/app-${shop}/service-types/type-${shop}/retire`, { reason }],
  [`${TYPE}/restore`]: (shop) => [`/api/apps/app-${shop}/service-types/type-${shop}/restore`, { reason }],
  "/api/setup/downloads-clients": (shop) => [
    "/api/setup/downloads-clients",
    { appId: `app-${shop}`, clientId: `another-client-${shop}`, dailyLimit: 5, reason },
  ],
  [`${CLIENT}/limit`]: (shop) => [`${clientOf(shop)}/limit`, { dailyLimit: 99, reason }],
  [`${CLIENT}/disable`]: (shop) => [`${clientOf(shop)}/disable`, { reason }],
  [`${CLIENT}/enable`]: (shop) => [`${clientOf(shop)}/enable`, { reason }],
  [`${CLIENT}/rotate`]: (shop) => [`${clientOf(shop)}/rotate`, { overlap: 0, reason }],
  "/api/bill-days/{day}/{payChannel}/{appEnv}/{accountId}/compare": (shop, _idOf, day) => [
    `/api/bill-days/${day}/WALLET_A/DEV/merchant-${shop}/compare`,
    {},
  ],
  "/api/downloads/set": (shop, _idOf, day) => [
    "/api/downloads/set",
    { ...daysOf(shop, day), newDownloads: 8, updateDownloads: 9, reason },
  ],
  "/api/downloads/delete": (shop, _idOf, day) => ["/api/downloads/delete", { ...daysOf(shop, day), reason }],
};

/** Changes of stores, which belong to every app: only an operator of every app makes them. */
const SHARED_CHANGES: Readonly<Record<string, ShopChange>> = {
  "/api/setup/stores": (shop) => ["/api/setup/stores", { store: `another-store-${shop}`, reason }],
  [`${STORE}/alias`]: (shop) => [`${storeOf(shop)}/alias`, { alias: `name-of-${shop}`, reason }],
  [`${STORE}/rename`]: (shop) => [`${storeOf(shop)}/rename`, { to: `renamed-${shop}`, reason }],
  [`${STORE}/merge`]: (shop) => [
    `${storeOf(shop)}/merge`,
    { into: `store-${otherThan(shop)}`, days: "sum", reason },
  ],
};

/**
 * The changes of the operator's own account, and changes that only operators of every app may make.
 */
const OTHER_CHANGES = [
  "/api/bill-exceptions/resolve",
  "/api/bill-exceptions/{id}/adopt",
  "/api/bill-exceptions/{id}/assign",
  "/api/bill-exceptions/{id}/not-ours",
  "/api/bill-exceptions/{id}/resolve",
  "/api/operators",
  "/api/operators/{name}/disable",
  "/api/operators/{name}/enable",
  "/api/operators/{name}/reset",
  "/api/operators/{name}/role",
  "/api/session/enrolment/confirm",
  "/api/session/enrolment/remove",
  "/api/session/password",
  "/api/setup/apps",
];

it("has a case for every change", () => {
  const paths = operatorRoutes.filter(({ isChange }) => isChange).map(({ path }) => path);
  const known = [...Object.keys(CHANGES), ...Object.keys(SHARED_CHANGES), ...OTHER_CHANGES];
  expect(paths.sort()).toEqual(known.sort());
});

/** Everything of a shop that a change could change. */
async function stateOf({ ports, day }: Shops, shop: Shop) {
  const appId = `app-${shop}`;
  const orders = ["open", "paid", "mini", "unsent", "approve", "reject"].map((name) => ({
    appId,
    bizNo: `${name}-${shop}`,
  }));
  const stored = orders.map(async (key) => [
    await expectOk(ports.orders.find(key)),
    await expectOk(ports.orders.timeline(key)),
    await expectOk(ports.refunds.list(key)),
    await expectOk(ports.refundApprovals.listOfOrder(key)),
  ]);
  const clients = await expectOk(ports.downloadsClients.list());
  return {
    orders: await Promise.all(stored),
    app: await expectOk(ports.apps.find(appId)),
    tools: await expectOk(ports.payTools.list(appId)),
    types: await expectOk(ports.serviceTypes.list(appId)),
    clients: clients.filter((client) => client.appId === appId),
    counts: await expectOk(ports.downloads.read(appId, day, day)),
    stores: await expectOk(ports.downloads.storeNames()),
    customers: await expectOk(ports.sessions.listCustomers({ appId, limit: 10 })),
    sessions: await expectOk(ports.sessions.list(appId, `cus-${shop}`)),
  };
}

describe.each(Object.entries(CHANGES))("POST %s", (_, changeOf) => {
  it("changes nothing of another shop, which looks unknown", async () => {
    const shops = await twoShops();
    const alpha = await shops.signIn("admin-alpha");
    const before = await stateOf(shops, "beta");
    const [path, body] = changeOf("beta", shops.idOf, shops.day);
    const { status, json } = await alpha.post(path, body);
    expect(status).toBe(404);
    expect(JSON.stringify(json)).not.toContain("beta");
    expect(await stateOf(shops, "beta")).toEqual(before);
  });

  it("does not return the first answer again to an operator who lost the shop", async () => {
    const shops = await twoShops();
    await shops.create("both", "admin", ["app-alpha", "app-beta"]);
    const both = await shops.signIn("both");
    const [path, body] = changeOf("beta", shops.idOf, shops.day);
    const first = await both.post(path, body, "change-of-both-1");
    expect(first.status).toBe(200);
    expect((await both.post(path, body, "change-of-both-1")).status).toBe(200);
    await shops.setApps("both", ["app-alpha"]);
    const again = await both.post(path, body, "change-of-both-1");
    expect(again.status).toBe(404);
    expect(JSON.stringify(again.json)).not.toContain("beta");
  });

  it("has no outcome for another operator who knows its id", async () => {
    const shops = await twoShops();
    const [path, body] = changeOf("beta", shops.idOf, shops.day);
    const beta = await shops.signIn("admin-beta");
    expect((await beta.post(path, body, "change-of-beta-1")).status).toBe(200);
    const alpha = await shops.signIn("admin-alpha");
    expect((await alpha.get("/api/changes/change-of-beta-1")).json).toEqual({ state: "none" });
    expect((await beta.get("/api/changes/change-of-beta-1")).json).toMatchObject({ state: "done" });
  });
});

describe.each(Object.entries(SHARED_CHANGES))("POST %s", (_, changeOf) => {
  it.each(SHOPS)("is refused to an operator of the shop alpha, also for a store of %s", async (shop) => {
    const shops = await twoShops();
    const alpha = await shops.signIn("admin-alpha");
    const state = async () => [await stateOf(shops, "alpha"), await stateOf(shops, "beta")];
    const before = await state();
    const [path, body] = changeOf(shop, shops.idOf, shops.day);
    const { status, json } = await alpha.post(path, body);
    expect({ status, json }).toMatchObject({ status: 403, json: { error: { name: "permission.denied" } } });
    expect(JSON.stringify(json)).not.toContain("beta");
    expect(await state()).toEqual(before);
    expect((await shops.root.post(path, body)).status).toBe(200);
    expect(await state()).not.toEqual(before);
  });

  it("does not return the first answer again to an operator who lost the other shop", async () => {
    const shops = await twoShops();
    await shops.create("both", "admin");
    const both = await shops.signIn("both");
    const [path, body] = changeOf("beta", shops.idOf, shops.day);
    expect((await both.post(path, body, "change-of-both-1")).status).toBe(200);
    expect((await both.post(path, body, "change-of-both-1")).status).toBe(200);
    await shops.setApps("both", ["app-alpha"]);
    const again = await both.post(path, body, "change-of-both-1");
    expect(again.status).toBe(403);
    expect(JSON.stringify(again.json)).not.toContain("beta");
  });

  it("has no outcome for another operator who knows its id", async () => {
    const shops = await twoShops();
    const [path, body] = changeOf("beta", shops.idOf, shops.day);
    expect((await shops.root.post(path, body, "change-of-root-1")).status).toBe(200);
    const alpha = await shops.signIn("admin-alpha");
    expect((await alpha.get("/api/changes/change-of-root-1")).json).toEqual({ state: "none" });
  });
});

/** A change of something of the shop alpha whose body names something of a shop. */
const REFERENCES: Readonly<Record<string, ShopChange>> = {
  "the provider of a pay tool": (shop, idOf) => [
    `/api/setup/pay-tools/${idOf("tool-alpha")}/change`,
    { credentials: { provider: idOf(`tool-${shop}`) }, reason },
  ],
  "the customer who gets the numbers of another": (shop) => [
    "/api/customers/app-alpha/cus-alpha/merge",
    { into: `second-${shop}`, reason },
  ],
};

describe.each(Object.entries(REFERENCES))("%s", (_, changeOf) => {
  it("must belong to a shop that the operator sees", async () => {
    const shops = await twoShops();
    const alpha = await shops.signIn("admin-alpha");
    const before = [await stateOf(shops, "alpha"), await stateOf(shops, "beta")];
    const [path, body] = changeOf("beta", shops.idOf, shops.day);
    const { status, json } = await alpha.post(path, body);
    expect([404, 409]).toContain(status);
    expect(JSON.stringify(json)).not.toContain("beta");
    expect([await stateOf(shops, "alpha"), await stateOf(shops, "beta")]).toEqual(before);
    expect((await alpha.post(...changeOf("alpha", shops.idOf, shops.day))).status).toBe(200);
  });
});
