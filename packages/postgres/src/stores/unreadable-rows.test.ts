import {
  aClient,
  aFoundException,
  anAccount,
  anApp,
  anEntry,
  anOrder,
  aRefund,
  aServiceType,
  FIXTURE_TIME,
  DAY,
  expectFailure,
  expectOk,
  manyCases,
  MINUTE,
} from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import { expect, it, onTestFinished, vi } from "vitest";
import { migrate } from "../admin/migrate.js";
import { postgresStores } from "./postgres-stores.js";
import { type UnreadableRow, unreadableRowOf } from "../sql/row-reader.js";
import type { SqlClient } from "../sql/sql-client.js";
import { tablesOf } from "../sql/tables.js";
import { embeddedClient, KEY, serverSchema } from "../testing/databases.js";

/** An integer that exceeds the safe integers of JavaScript. */
const HUGE = "9007199254740993";

async function embeddedSchema() {
  const sql = await embeddedClient();
  onTestFinished(() => sql.close());
  await expectOk(migrate({ sql, schema: "tillkit" }));
  return { sql, schema: "tillkit" };
}

interface Opened {
  readonly sql: SqlClient;
  readonly tables: ReturnType<typeof tablesOf>;
  readonly stores: Stores;
  readonly left: readonly UnreadableRow[];
}

async function open(
  schemaOf: () => Promise<{ readonly sql: SqlClient; readonly schema: string }>,
): Promise<Opened> {
  const { sql, schema } = await schemaOf();
  const left: UnreadableRow[] = [];
  const onUnreadable = (row: UnreadableRow) => void left.push(row);
  const stores = postgresStores({ sql, schema, credentialKeys: [KEY], onUnreadable });
  return { sql, tables: tablesOf(schema), stores, left };
}

const databases = [
  ["PostgreSQL", serverSchema],
  ...(manyCases() ? [["PGlite", embeddedSchema] as const] : []),
] as const;

it.each(databases)("on %s, the stores list the other apps if one cannot be read", async (_name, schemaOf) => {
  const { sql, tables, stores, left } = await open(schemaOf);
  const [good, bad] = [await expectOk(stores.apps.insertOnce(anApp())), anApp()];
  await expectOk(stores.apps.insertOnce(bad));
  // Sets the end of a secret to a value that exceeds all safe integers.
  await sql.script(
    `update ${tables.apps} set secrets = jsonb_set(secrets, '{0,expiresAt}', '${HUGE}') where app_id = '${bad.appId}'`,
  );
  expect(await expectOk(stores.apps.list())).toEqual([good]);
  const row = {
    table: "apps",
    key: [bad.appId],
    reason: "The column expiresAt does not have the type or format that this version expects.",
  };
  expect(left).toEqual([row]);
  const failure = await expectFailure(stores.apps.find(bad.appId));
  expect(failure).toMatchObject({ name: "storage.misconfigured" });
  expect(unreadableRowOf(failure.cause)).toEqual(row);
  expect(failure.cause).toMatchObject({ message: `The row ${bad.appId} of apps cannot be read.` });
});

it("the stores list the other pay tools, service types, clients, services and bill exceptions if one cannot be read", async () => {
  const { sql, tables, stores, left } = await open(serverSchema);
  const app = await expectOk(stores.apps.insertOnce(anApp({ appId: "app_1" })));
  const { appId } = app;
  await expectOk(stores.payTools.put(anAccount({ appId, payChannel: "WALLET_A" })));
  await expectOk(stores.payTools.put(anAccount({ appId, payChannel: "WALLET_B" })));
  for (const serviceTypeNo of ["T-a", "T-b"])
    await expectOk(stores.serviceTypes.insertOnce(aServiceType({ appId, serviceTypeNo })));
  for (const clientId of ["c-a", "c-b"])
    await expectOk(stores.downloadsClients.insertOnce(aClient({ appId, clientId })));
  const found = [aFoundException({ at: FIXTURE_TIME }), aFoundException({ at: FIXTURE_TIME + 1 })] as const;
  await expectOk(stores.billExceptions.report(found));
  await sql.script(
    `insert into ${tables.services} (customer_identity, app_id, service_type_no, service_no, service_name, expire_ms, grants_made, created_ms)
       values ('c-1', 'app_1', 'T-a', 'S-a', 'A', 1, 1, 1), ('c-1', 'app_1', 'T-b', 'S-b', 'B', ${HUGE}, 1, 2);
     update ${tables.pay_tools} set sign_status = 'MAYBE' where pay_channel = 'WALLET_B';
     update ${tables.service_types} set duration_ms = ${HUGE} where service_type_no = 'T-b';
     update ${tables.downloads_clients} set daily_limit = ${HUGE} where client_id = 'c-b';
     update ${tables.bill_exceptions} set kind = 'NEW_KIND' where id = '${found[1].id}'`,
  );
  expect(await expectOk(stores.payTools.list(appId))).toMatchObject([{ payChannel: "WALLET_A" }]);
  expect(await expectOk(stores.payTools.listAll())).toMatchObject([{ payChannel: "WALLET_A" }]);
  expect(await expectOk(stores.serviceTypes.list(appId))).toMatchObject([{ serviceTypeNo: "T-a" }]);
  expect(await expectOk(stores.downloadsClients.list())).toMatchObject([{ clientId: "c-a" }]);
  expect(await expectOk(stores.services.list(appId, "c-1"))).toMatchObject([{ serviceTypeNo: "T-a" }]);
  const page = { state: "OPEN", limit: 10 } as const;
  const listed = await expectOk(stores.billExceptions.list(page));
  expect(listed).toMatchObject({ items: [{ id: found[0].id }] });
  const tools = left.filter(({ table }) => table === "pay_tools");
  expect(tools).toHaveLength(2);
  expect(left.filter(({ table }) => table !== "pay_tools").map(({ table, key }) => [table, ...key])).toEqual([
    ["service_types", appId, "T-b"],
    ["downloads_clients", "c-b"],
    ["services", appId, "T-b", "S-b"],
    ["bill_exceptions", found[1].id],
  ]);
});

it("the stores claim the other due orders and refunds, and list the other orders, if one cannot be read", async () => {
  const { sql, tables, stores, left } = await open(serverSchema);
  const due = { nextQueryAt: FIXTURE_TIME } as const;
  const [good, bad] = [anOrder(due), anOrder(due)];
  for (const order of [bad, good]) await expectOk(stores.orders.insertOnce(order, anEntry()));
  await sql.script(`update ${tables.orders} set pay_source = 'NEW_SOURCE' where biz_no = '${bad.bizNo}'`);
  const { appId, customerIdentity } = good;
  const list = await expectOk(stores.orders.list({ appId, customerIdentity, offset: 0, limit: 10 }));
  expect(list).toMatchObject({ items: [{ bizNo: good.bizNo }], totalCount: 2 });
  const claimed = await expectOk(stores.orders.claimDue(FIXTURE_TIME + 1, 10, MINUTE));
  expect(claimed.map(({ bizNo }) => bizNo)).toEqual([good.bizNo]);
  // The unreadable row is claimed like the others, so that it does not block the queue.
  expect(await expectOk(stores.orders.claimDue(FIXTURE_TIME + 1, 10, MINUTE))).toEqual([]);
  expect(left.map(({ table, key }) => [table, ...key])).toEqual([
    ["orders", appId, bad.bizNo],
    ["orders", appId, bad.bizNo],
  ]);
  const failure = await expectFailure(stores.orders.find(bad));
  expect(unreadableRowOf(failure.cause)).toMatchObject({ table: "orders", key: [appId, bad.bizNo] });
});

it("the stores claim the other due refunds if one cannot be read", async () => {
  const { sql, tables, stores, left } = await open(serverSchema);
  const orders = [
    anOrder({ paymentStatus: "PAID", pmtDt: FIXTURE_TIME }),
    anOrder({ paymentStatus: "PAID", pmtDt: FIXTURE_TIME }),
  ];
  for (const order of orders) await expectOk(stores.orders.insertOnce(order, anEntry()));
  const refunds = orders.map(({ bizNo, appId }) =>
    aRefund({ bizNo, appId, amount: 1, nextTryAt: FIXTURE_TIME }),
  );
  for (const refund of refunds) await expectOk(stores.refunds.request(refund, anEntry()));
  const [good, bad] = refunds;
  await sql.script(
    `update ${tables.refunds} set reason = reason, amount_cents = ${HUGE} where biz_no = '${String(bad?.bizNo)}'`,
  );
  const claimed = await expectOk(stores.refunds.claimDue(FIXTURE_TIME + DAY, 10, MINUTE));
  expect(claimed.map(({ refundNo }) => refundNo)).toEqual([good?.refundNo]);
  expect(left).toMatchObject([{ table: "refunds", key: [bad?.appId, bad?.bizNo, bad?.refundNo] }]);
});

it("the stores emit a process warning once per row if the host passes no listener", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  const { sql, schema } = await serverSchema();
  const { apps } = postgresStores({ sql, schema, credentialKeys: [KEY] });
  const app = await expectOk(apps.insertOnce(anApp()));
  await sql.script(`update ${tablesOf(schema).apps} set created_ms = ${HUGE}`);
  for (const _ of [1, 2]) expect(await expectOk(apps.list())).toEqual([]);
  expect(warn).toHaveBeenCalledExactlyOnceWith("A stored row cannot be read, and the list omits it.", {
    type: "TillkitWarning",
    detail: `apps ["${app.appId}"]: The column created_ms does not have the type or format that this version expects.`,
  });
});
