import { expectOk, HOSTILE_TEXTS, type HostileRequest, hostileRequests } from "@tillkit/contract-tests";
import {
  configurePayTool,
  createApp,
  createDownloadsClient,
  createOrder,
  createOrderInput,
  type Order,
  orThrow,
  PAY_CHANNELS,
  parseInput,
} from "@tillkit/core";
import { ERROR_CATALOG } from "@tillkit/core/errors";
import {
  METRICS_ERRORS,
  metricsSurface,
  notificationsSurface,
  paymentsRoutes,
  paymentsSurface,
} from "@tillkit/core/http";
import { dailyCountInput } from "@tillkit/core/operators";
import { memoryPorts, type MemoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import { postgresStores } from "./postgres-stores.js";
import { text } from "../sql/row.js";
import { statement } from "../sql/statement.js";
import { TABLE_NAMES, tablesOf } from "../sql/tables.js";
import { KEY, serverSchema } from "../testing/databases.js";

interface TestFixture {
  readonly ports: MemoryPorts;
  readonly appId: string;
  readonly appSecret: string;
  /** Counts the rows of each table. */
  rows(): Promise<Readonly<Record<string, number>>>;
}

/** Creates a service on PostgreSQL with one app, which has both pay tools. */
async function openFixture(): Promise<TestFixture> {
  const { sql, schema } = await serverSchema();
  const ports = { ...memoryPorts(), ...postgresStores({ sql, schema, credentialKeys: [KEY] }) };
  const { app, appSecret } = await expectOk(createApp(ports, { name: "Notes" }));
  const { appId } = app;
  const names = { appName: "Notes", appPackageName: "notes", appSignature: "0a" };
  const account = { appEnv: "DEV", accountId: "1900000001", walletAppId: "wx01", ...names } as const;
  for (const payChannel of PAY_CHANNELS)
    await expectOk(configurePayTool(ports, appId, { ...account, payChannel, credentials: { key: "k" } }));
  const tables = tablesOf(schema);
  const rows = async () => {
    const counts = TABLE_NAMES.map(async (name) => {
      const count = statement("test_count", `select count(*)::text as rows from ${tables[name]}`);
      const [row] = await sql.query(count, []);
      return [name, Number(row === undefined ? undefined : text(row, "rows"))] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  };
  return { ports, appId, appSecret, rows };
}

/** Sends a request to its surface, with the credentials of the app if it needs any. */
async function send({ ports, appId, appSecret }: TestFixture, request: HostileRequest) {
  const surfaces = {
    payments: paymentsSurface,
    metrics: metricsSurface,
    notifications: notificationsSurface,
  };
  const surface = surfaces[request.surface](ports);
  const { method, path, query, headers, body } = request;
  if (!surface.owns(method, path)) return undefined;
  const credentials = { app_id: appId, app_secret: appSecret };
  const reply = await surface.handle({
    method,
    path,
    query,
    headers: new Headers({ ...credentials, ...headers }),
    body: new TextEncoder().encode(body),
  });
  return { ...reply, answer: json(reply.body) };
}

async function anOrder({ ports, appId }: TestFixture, bizNo: string, payChannel: string): Promise<Order> {
  const terms = { bizNo, customerIdentity: "customer-1", amount: 600, goodsTitle: "Thirty days", payChannel };
  const input = orThrow(parseInput(createOrderInput(ports.policy), terms));
  return (await expectOk(createOrder(ports, appId, input))).order;
}

describe("a hostile text, on PostgreSQL,", () => {
  it("in any place of a payments request gets a catalogued answer, and is stored unchanged or not at all", async () => {
    const fixture = await openFixture();
    const { ports, appId } = fixture;
    const expected = new Set<unknown>([0, ...Object.values(ERROR_CATALOG).map(({ code }) => code)]);
    expected.delete(ERROR_CATALOG["storage.unavailable"].code);
    const plain: string[] = [];
    let sent = 0;
    let kept = 0;
    for (const request of hostileRequests(ports.policy)) {
      if (request.surface !== "payments") continue;
      const { hostile, values, what, path } = request;
      const reply = await send(fixture, request);
      const code = member(reply?.answer, "code");
      sent += 1;
      expect(reply?.status, what).toBe(200);
      expect(expected.has(code), `${what} is ${String(code)}`).toBe(true);
      if (hostile === undefined) {
        plain.push(what);
        expect([10001, 10002, 10003, 10014], `${what} needs a usual value`).not.toContain(code);
        if (path === "/order.json") kept += 1;
        continue;
      }
      if (code !== 0 && hostile.text.length > 8)
        expect(String(member(reply?.answer, "msg")), what).not.toContain(hostile.text);
      if (path !== "/order.json" || code !== 0) continue;
      const order = await expectOk(ports.orders.find({ appId, bizNo: String(values["bizNo"]) }));
      // A hostile header with a usual order creates nothing, because that order exists already.
      if (!(hostile.place in values)) continue;
      kept += 1;
      if (hostile.place !== "serviceTypeNo") expect(member(order, hostile.place), what).toBe(hostile.text);
    }
    expect(plain).toHaveLength(paymentsRoutes.length);
    expect(sent).toBeGreaterThan(500);
    expect(kept).toBeGreaterThan(50);
    const apps = await expectOk(ports.apps.list());
    expect(apps.map((app) => app.appId)).toEqual([appId]);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(await fixture.rows()).toMatchObject({ orders: kept, apps: 1, pay_tools: 2 });
  });

  it("in any parameter of a downloads request counts as an unknown client or an invalid date, and not against the daily limit", async () => {
    const fixture = await openFixture();
    await expectOk(
      createDownloadsClient(fixture.ports, {
        appId: fixture.appId,
        dailyLimit: 100,
        clientId: "client-1",
        allowGuessableId: true,
      }),
    );
    const {
      "downloads.fetch-failed": _fetch,
      "downloads.limit-check-failed": _check,
      ...expected
    } = METRICS_ERRORS;
    const codes = new Set<unknown>(Object.values(expected).map(({ errorCode }) => errorCode));
    let asked = 0;
    for (const request of hostileRequests(fixture.ports.policy)) {
      if (request.surface !== "metrics") continue;
      const reply = await send(fixture, request);
      const data = member(reply?.answer, "data");
      const inQuery = request.hostile !== undefined && request.hostile.place in request.values;
      if (!inQuery) {
        asked += 1;
        expect(member(data, "result"), request.what).toBe("success");
        continue;
      }
      expect(codes.has(member(data, "errorCode")), `${request.what}: ${reply?.body ?? ""}`).toBe(true);
      if (request.hostile.text.length > 8)
        expect(reply?.body, request.what).not.toContain(request.hostile.text);
    }
    expect(asked).toBeGreaterThan(30);
    const report = metricsSurface(fixture.ports).handle({
      method: "GET",
      path: "/misc/v2/downloads-api",
      query: "id=client-1&start=2026-01-15&end=2026-01-15",
      headers: new Headers(),
      body: new Uint8Array(),
    });
    expect(member(member(member(json((await report).body), "data"), "usage"), "usedToday")).toBe(asked + 1);
  });

  it("as a store name or client id is rejected, or is returned unchanged", async () => {
    const { ports, appId } = await openFixture();
    const day = "2026-01-15";
    const usable = HOSTILE_TEXTS.filter((store) => {
      const count = { appId, store, date: day, newDownloads: 1, updateDownloads: 2 };
      return parseInput(dailyCountInput(), count).isOk();
    });
    expect(usable.length).toBeGreaterThan(20);
    const counts = usable.map((store) => ({ appId, store, date: day, newDownloads: 1, updateDownloads: 2 }));
    await expectOk(ports.downloads.upsert([counts]));
    const ids = usable.filter((text) => !text.includes(","));
    expect(ids.length).toBeGreaterThan(20);
    for (const clientId of ids) {
      await expectOk(
        createDownloadsClient(ports, { appId, dailyLimit: 1, clientId, allowGuessableId: true }),
      );
      const query = new URLSearchParams({ id: clientId, start: day, end: day }).toString();
      const request = { method: "GET", path: "/misc/v2/downloads-api", query, headers: new Headers() };
      const { body } = await metricsSurface(ports).handle({ ...request, body: new Uint8Array() });
      const downloads = member(member(member(json(body), "data"), "downloadsData"), "downloads");
      const stores = Array.isArray(downloads) ? downloads.map((one: unknown) => member(one, "store")) : [];
      expect([...stores].sort()).toEqual(["All Stores", ...usable].sort());
    }
  });

  it("in any place of a notification changes no order", async () => {
    const fixture = await openFixture();
    const { ports, appId } = fixture;
    const orders = await Promise.all(
      PAY_CHANNELS.map((channel) => anOrder(fixture, `b-${channel}`, channel)),
    );
    const before = await fixture.rows();
    let sent = 0;
    for (const request of hostileRequests(ports.policy)) {
      if (request.surface !== "notifications" || request.method !== "POST") continue;
      const orderRef = request.hostile?.text ?? "";
      const own = orders.map(({ payChannel, payToolId }) => ({
        ...request,
        path: `/notify/${payChannel}/${payToolId}/${Buffer.from(orderRef).toString("base64url")}`,
      }));
      for (const one of [request, ...own]) {
        const reply = await send(fixture, one);
        if (reply === undefined) continue;
        sent += 1;
        const said = [reply.status, reply.body];
        if (reply.status === 404) {
          // With this text the address matches no order and no pay tool.
          expect(member(json(reply.body), "code"), request.what).toBe(10014);
          continue;
        }
        expect(
          [
            [401, '{"code":"FAIL","message":"not taken"}'],
            [200, "fail"],
          ],
          request.what,
        ).toContainEqual(said);
      }
    }
    expect(sent).toBeGreaterThan(100);
    expect(await fixture.rows()).toEqual(before);
    for (const order of orders)
      expect(await expectOk(ports.orders.find({ appId, bizNo: order.bizNo }))).toEqual(order);
  });

  it.each(PAY_CHANNELS)("that %s signed is stored unchanged, or nothing changes", async (payChannel) => {
    const fixture = await openFixture();
    const { ports, appId } = fixture;
    const surface = notificationsSurface(ports);
    const deliver = async (order: Order, changes: object): Promise<boolean> => {
      const path = order.notifyUrl.slice(ports.notificationsUrl.length);
      const sent = ports.wallets[payChannel].notificationFor(order.id, changes);
      const reply = await surface.handle({ method: "POST", path, query: "", ...sent });
      const { status, body } = ports.wallets[payChannel].answer(true);
      return reply.status === status && reply.body === body;
    };
    for (const [nth, hostile] of HOSTILE_TEXTS.entries()) {
      const order = await anOrder(fixture, `b-${String(nth)}`, payChannel);
      ports.wallets[payChannel].pay(order.id);
      for (const name of ["outTradeNo", "walletAppId", "merchantId", "currency"])
        expect(await deliver(order, { [name]: hostile }), `${name} ${hostile}`).toBe(false);
      const key = { appId, bizNo: order.bizNo };
      expect(await expectOk(ports.orders.find(key))).toEqual(order);
      const taken = await deliver(order, { walletTradeNo: hostile });
      const stored = await expectOk(ports.orders.find(key));
      expect(stored).toMatchObject(taken ? { paymentStatus: "PAID", walletTradeNo: hostile } : order);
      // PostgreSQL cannot store NUL in a text, so the wallet has to repeat the notification.
      expect(taken, hostile).toBe(!hostile.includes("\u0000"));
    }
  });
});

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
