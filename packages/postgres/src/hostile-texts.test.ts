import { expectOk } from "@tillkit/contract-tests";
import { configurePayTool, createApp, PAY_CHANNELS } from "@tillkit/core";
import { ERROR_CATALOG } from "@tillkit/core/errors";
import { paymentsRoutes, paymentsSurface, type Route } from "@tillkit/core/http";
import { memoryPorts } from "@tillkit/memory";
import { expect, it } from "vitest";
import { postgresStores } from "./postgres-stores.js";
import { text } from "./row.js";
import { statement } from "./statement.js";
import { TABLE_NAMES, tablesOf } from "./tables.js";
import { KEY, serverSchema } from "./testing/databases.js";

/** Texts that mean something to SQL, JSON, arrays, patterns, logs, terminals, headers or JavaScript. */
const HOSTILE = [
  "'; drop table orders; --",
  "' or '1'='1",
  "1); delete from apps where (1=1",
  "$1 $$ $tag$ :name ? %s \\x00",
  "\\'; select pg_sleep(60); --",
  "E'\\\\' || \"x\" /* */ --",
  '{a,"b",NULL}',
  "%_%",
  '{"a":{"$ne":null}}',
  '"}],"code":0,"data":{"x":"',
  "[[[[",
  "null",
  "undefined",
  "NaN",
  "-1e309",
  "2026-13-45",
  "__proto__",
  "constructor",
  "toString",
  "${process.env.HOME}",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "a\r\nset-cookie: x=1",
  'a\n{"level":"info"}',
  "\u001b[2J\u001b]0;x\u0007",
  "a\u0000b",
  "\u202egnp.exe",
  "\ud83d\ude00\u0301\ufeff\uffff",
  "İıſK",
] as const;

/** A value for every parameter that some endpoint requires. */
const VALID: Readonly<Record<string, unknown>> = {
  amount: 600,
  bizNo: "b-1",
  customerIdentity: "customer-1",
  goodsTitle: "Thirty days",
  payChannel: "WALLET_A",
  mobileNo: "13800138000",
  authCode: "000000",
  token: "customer-1.token",
};

it("answers every hostile text in every parameter of every endpoint by the catalogue, and keeps it as it was sent or not at all", async () => {
  const { sql, schema } = await serverSchema();
  const ports = { ...memoryPorts(), ...postgresStores({ sql, schema, credentialKeys: [KEY] }) };
  const surface = paymentsSurface(ports);
  const { app, appSecret } = await expectOk(createApp(ports, { name: "Notes" }));
  const { appId } = app;
  for (const payChannel of PAY_CHANNELS) {
    const names = {
      appName: "Notes",
      appPackageName: "notes",
      appSignature: "0a",
      credentials: { key: "k" },
    };
    const account = {
      payChannel,
      appEnv: "DEV",
      accountId: "1900000001",
      walletAppId: "wx01",
      ...names,
    } as const;
    await expectOk(configurePayTool(ports, appId, account));
  }
  const send = async ({ method, path, from }: Route, values: Readonly<Record<string, unknown>>) => {
    const texts = Object.entries(values).map(([name, value]) => [name, String(value)] as const);
    const query = new URLSearchParams(Object.fromEntries(texts));
    const inPath = path.replace(/\{(\w+)\}/, (_, name: string) => encodeURIComponent(String(values[name])));
    const { status, body } = await surface.handle({
      method,
      path: inPath,
      query: from === "query" ? query.toString() : "",
      headers: { app_id: appId, app_secret: appSecret },
      body: new TextEncoder().encode(method === "POST" ? JSON.stringify(values) : ""),
    });
    const answer: unknown = JSON.parse(body);
    return { status, code: member(answer, "code"), msg: String(member(answer, "msg")) };
  };

  const expected = new Set<unknown>([0, ...Object.values(ERROR_CATALOG).map(({ code }) => code)]);
  expected.delete(ERROR_CATALOG["storage.unavailable"].code);
  let sent = 0;
  let kept = 0;
  for (const route of paymentsRoutes) {
    const fields = namesIn(member(route.input(ports.policy), "shape"));
    if (route.path !== "/payTools.json") expect(fields, route.path).not.toEqual([]);
    const usual = Object.fromEntries(Object.entries(VALID).filter(([name]) => fields.includes(name)));
    const plain = await send(route, usual);
    expect([10001, 10002, 10003, 10014], `${route.path} needs a value in VALID`).not.toContain(plain.code);
    for (const field of fields) {
      for (const hostile of HOSTILE) {
        sent += 1;
        const bizNo = fields.includes("bizNo") ? { bizNo: `b-${String(sent)}` } : {};
        const values = { ...usual, ...bizNo, [field]: hostile };
        const what = `${route.path} ${field} ${JSON.stringify(hostile)}`;
        const { status, code, msg } = await send(route, values);
        expect(status, what).toBe(200);
        expect(expected.has(code), `${what} is ${String(code)}`).toBe(true);
        if (code !== 0 && hostile.length > 8) expect(msg, what).not.toContain(hostile);
        if (route.path !== "/order.json" || code !== 0) continue;
        const order = await expectOk(ports.orders.find({ appId, bizNo: String(member(values, "bizNo")) }));
        kept += 1;
        if (field !== "serviceTypeNo") expect(member(order, field), what).toBe(hostile);
      }
    }
  }
  expect(sent).toBeGreaterThan(500);

  expect(await expectOk(ports.apps.list())).toEqual([app]);
  expect(Object.keys(Object.prototype)).toEqual([]);
  const tables = tablesOf(schema);
  const rowsOf = async (table: (typeof TABLE_NAMES)[number]) => {
    const count = statement("test_count", `select count(*)::text as rows from ${tables[table]}`);
    return (await sql.query(count, [])).map((row) => Number(text(row, "rows")));
  };
  const rows = new Map(
    await Promise.all(TABLE_NAMES.map(async (name) => [name, await rowsOf(name)] as const)),
  );
  // One more than was kept: the plain order.
  expect(kept).toBeGreaterThan(50);
  expect(rows.get("orders")).toEqual([kept + 1]);
}, 60_000);

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function namesIn(value: unknown): readonly string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}
