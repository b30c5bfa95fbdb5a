import { aConfirmation, anEntry, aRefund, FIXTURE_TIME, expectOk } from "@tillkit/contract-tests";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "./migrate.js";
import { MIGRATIONS } from "./migrations.js";
import { postgresStores } from "./postgres-stores.js";
import { quoted, tablesOf } from "./tables.js";
import { freshSchema, KEY, serverClient } from "./testing/databases.js";

it("keeps the reserved amount of an open refund when a schema of the previous version is migrated", async () => {
  const [sql, schema] = [serverClient({ max: 2 }), freshSchema()];
  onTestFinished(async () => {
    await sql.script(`drop schema if exists ${quoted(schema)} cascade`);
    await sql.close();
  });
  const before = MIGRATIONS.filter(({ version }) => version < 3);
  await expectOk(migrate({ sql, schema, migrations: before }));
  const { orders, refunds } = tablesOf(schema);
  const order = (
    bizNo: string,
    openRefundNo: string,
  ) => `('${bizNo}', 'app_1', '01ORDER${bizNo}', 'c-1', 600, 'Month',
    'WALLET_A', 'APP', 'PAID', '01TESTPAYTOOL', 'https://pay.example/n', ${FIXTURE_TIME}, ${FIXTURE_TIME}, 100, ${FIXTURE_TIME}, ${FIXTURE_TIME}, 2, '${"0".repeat(64)}', ${openRefundNo})`;
  await sql.script(`
    insert into ${orders} (biz_no, app_id, id, customer_identity, amount_cents, goods_title, pay_channel, pay_source, payment_status,
      pay_tool_id, notify_url, expires_ms, paid_ms, refunded_cents, created_ms, modified_ms, timeline_seq, timeline_hash, open_refund_no)
    values ${order("open", "'r-2'")}, ${order("idle", "null")};
    insert into ${refunds} (biz_no, app_id, refund_no, amount_cents, reason, operator, status, next_try_ms, created_ms, modified_ms) values
      ('open', 'app_1', 'r-1', 100, 'r', 'o', 'CONFIRMED', null, ${FIXTURE_TIME}, ${FIXTURE_TIME}),
      ('open', 'app_1', 'r-2', 300, 'r', 'o', 'SENT', ${FIXTURE_TIME}, ${FIXTURE_TIME}, ${FIXTURE_TIME}),
      ('idle', 'app_1', 'r-1', 100, 'r', 'o', 'CONFIRMED', null, ${FIXTURE_TIME}, ${FIXTURE_TIME})`);
  expect(await expectOk(migrate({ sql, schema }))).toContain("0003-refund-states");

  const stores = postgresStores({ sql, schema, credentialKeys: [KEY] });
  const request = (bizNo: string, refundNo: string, amount: number) =>
    expectOk(stores.refunds.request(aRefund({ bizNo, refundNo, amount }), anEntry()));
  expect(await request("open", "r-3", 100)).toMatchObject({
    kind: "in-progress",
    refund: { refundNo: "r-2" },
  });
  const open = { appId: "app_1", bizNo: "open" };
  const seen = { status: "SENT", gmtModified: FIXTURE_TIME } as const;
  const move = {
    seen,
    to: "WAITING_FOR_FUNDS",
    nextTryAt: FIXTURE_TIME,
    entry: anEntry({ at: FIXTURE_TIME }),
  } as const;
  expect(await expectOk(stores.refunds.progress(open, "r-2", move))).toMatchObject({ moved: true });
  expect(await request("open", "r-3", 201)).toMatchObject({ kind: "exceeds-remaining", remaining: 200 });
  await expectOk(stores.refunds.confirm(open, "r-2", aConfirmation()));
  expect(await request("open", "r-3", 200)).toMatchObject({ kind: "requested" });
  expect(await request("idle", "r-2", 501)).toMatchObject({ kind: "exceeds-remaining", remaining: 500 });
  expect(await request("idle", "r-2", 500)).toMatchObject({ kind: "requested" });
});
