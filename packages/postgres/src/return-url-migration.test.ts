import { FIXTURE_TIME, expectOk } from "@tillkit/contract-tests";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "./migrate.js";
import { MIGRATIONS } from "./migrations.js";
import { postgresStores } from "./postgres-stores.js";
import { quoted, tablesOf } from "./tables.js";
import { freshSchema, KEY, serverClient } from "./testing/databases.js";

it("adds to the orders of an older schema the return URL that their wallet received", async () => {
  const [sql, schema] = [serverClient({ max: 2 }), freshSchema()];
  onTestFinished(async () => {
    await sql.script(`drop schema if exists ${quoted(schema)} cascade`);
    await sql.close();
  });
  const before = MIGRATIONS.filter(({ version }) => version < 6);
  await expectOk(migrate({ sql, schema, migrations: before }));
  const { orders } = tablesOf(schema);
  const order = (bizNo: string, payChannel: string, base: string) => `('${bizNo}', 'app_1', '01ORDER${bizNo}',
    'c-1', 600, 'Month', '${payChannel}', 'APP', 'PENDING', '01TOOL', '${base}/notify/${payChannel}/01TOOL/Yg', ${FIXTURE_TIME},
    0, ${FIXTURE_TIME}, ${FIXTURE_TIME}, 1, '${"0".repeat(64)}')`;
  await sql.script(`
    insert into ${orders} (biz_no, app_id, id, customer_identity, amount_cents, goods_title, pay_channel, pay_source,
      payment_status, pay_tool_id, notify_url, expires_ms, refunded_cents, created_ms, modified_ms, timeline_seq, timeline_hash)
    values ${order("a", "WALLET_A", "https://pay.example")},
      ${order("b", "WALLET_B", "https://pay.example/notify/WALLET_B/x")}`);
  expect(await expectOk(migrate({ sql, schema }))).toContain("0006-return-url");

  const stores = postgresStores({ sql, schema, credentialKeys: [KEY] });
  const returnUrlOf = async (bizNo: string) =>
    (await expectOk(stores.orders.find({ appId: "app_1", bizNo })))?.returnUrl;
  expect(await returnUrlOf("a")).toBe("https://pay.example/return/WALLET_A");
  expect(await returnUrlOf("b")).toBe("https://pay.example/notify/WALLET_B/x/return/WALLET_B");
});
