import { aHash, aPayment, expectOk, FIXTURE_TIME, sha256 } from "@tillkit/contract-tests";
import { findTimelineBreak, type TimelineEntry, timelineHash } from "@tillkit/core";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "./migrate.js";
import { MIGRATIONS } from "./migrations.js";
import { postgresStores } from "./postgres-stores.js";
import { quoted, tablesOf } from "./tables.js";
import { freshSchema, KEY, serverClient } from "./testing/databases.js";

it("keeps the orders and the timelines of a schema with longer rows", async () => {
  const [sql, schema] = [serverClient({ max: 2 }), freshSchema()];
  onTestFinished(async () => {
    await sql.script(`drop schema if exists ${quoted(schema)} cascade`);
    await sql.close();
  });
  await expectOk(migrate({ sql, schema, migrations: MIGRATIONS.filter(({ version }) => version < 15) }));
  const { orders, timeline } = tablesOf(schema);
  const fact = { at: FIXTURE_TIME, actor: "wallet", reason: "a message", alarm: true } as const;
  const created = { type: "CREATED", at: FIXTURE_TIME, actor: "caller", reason: "r", alarm: false } as const;
  const entries: readonly TimelineEntry[] = [
    created,
    { ...fact, type: "MISMATCH", evidence: aHash("message") },
    { ...fact, type: "REFUND_OVERDUE", evidence: "refund-1" },
  ];
  let last = "01ORDER";
  const events = entries.map((entry, index) => {
    const [previous, hash] = [last, timelineHash(sha256, last, entry)];
    last = hash;
    const { type, at, actor, reason, alarm, evidence } = entry;
    const text = evidence === undefined ? "null" : `'${evidence}'`;
    return `('b-1', 'app_1', ${index + 1}, '${type}', ${at}, '${actor}', '${reason}', ${text}, ${alarm}, '${previous}', '${hash}')`;
  });
  const url = "https://pay.example/notify/WALLET_A/01TOOL/Yi0x";
  await sql.script(`
    insert into ${orders} (biz_no, app_id, id, customer_identity, amount_cents, goods_title, pay_channel, pay_source, payment_status,
      pay_tool_id, notify_url, return_url, expires_ms, refunded_cents, created_ms, modified_ms, timeline_seq, timeline_hash)
    values ('b-1', 'app_1', '01ORDER', 'c-1', 600, 'Month', 'WALLET_A', 'APP', 'PENDING', '01TOOL', '${url}',
      'https://pay.example/return/WALLET_A', ${FIXTURE_TIME}, 0, ${FIXTURE_TIME}, ${FIXTURE_TIME}, 3, '${last}');
    insert into ${timeline} (biz_no, app_id, seq, type, at_ms, actor, reason, evidence, alarm, previous_hash, hash) values ${events.join(", ")}`);
  expect(await expectOk(migrate({ sql, schema }))).toContain("0015-smaller-rows");

  const stores = postgresStores({ sql, schema, credentialKeys: [KEY] });
  const key = { appId: "app_1", bizNo: "b-1" };
  expect(await expectOk(stores.orders.find(key))).toMatchObject({ id: "01ORDER", notifyUrl: url });
  const [, repeated] = entries;
  if (repeated === undefined) throw new Error("There are three events.");
  expect(await expectOk(stores.orders.record(key, repeated))).toBe(false);
  expect((await expectOk(stores.orders.transition(key, aPayment())))?.moved).toBe(true);
  const stored = await expectOk(stores.orders.timeline(key));
  expect(stored.slice(0, 3)).toMatchObject(entries);
  expect(stored).toHaveLength(4);
  expect(findTimelineBreak(sha256, "01ORDER", stored)).toBeUndefined();
});
