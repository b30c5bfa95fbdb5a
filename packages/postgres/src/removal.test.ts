import { expectOk } from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "./migrate.js";
import { postgresSessionStore } from "./session-store.js";
import { removalStatement } from "./removal.js";
import { text } from "./row.js";
import type { SqlClient } from "./sql-client.js";
import { statement } from "./statement.js";
import { tablesOf } from "./tables.js";
import { freshSchema, serverClient } from "./testing/databases.js";

const schema = freshSchema();
const { sessions, session_owners: owners } = tablesOf(schema);
let sql: SqlClient;
beforeAll(async () => {
  sql = serverClient({ max: 1 });
  await expectOk(migrate({ sql, schema }));
}, 60_000);
afterAll(async () => {
  await sql.script(`drop schema "${schema.replaceAll('"', '""')}" cascade`);
  await sql.close();
});

describe("removalStatement", () => {
  it.each(["force_custom_plan", "force_generic_plan"])("reads no whole table with %s", async (mode) => {
    const removal = removalStatement({
      verb: "test_removal",
      table: sessions,
      key: ["customer_id", "app_id", "token_hash"],
      column: "expires_ms",
    });
    await sql.script(`
      insert into ${sessions} (customer_id, app_id, token_hash, created_ms, expires_ms)
        select md5(i::text), 'app_1', md5(i::text), i, i from generate_series(1, 20000) i on conflict do nothing;
      analyze ${sessions};
      set plan_cache_mode = ${mode};
      prepare removal_${mode} (bigint, bigint) as ${removal.text}`);
    const explain = statement(`test_${mode}`, `explain (costs off) execute removal_${mode} (10000, 500)`);
    const plan = (await sql.query(explain, [])).map((row) => text(row, "QUERY PLAN")).join("\n");
    expect(plan).toContain("Index Scan");
    expect(plan).not.toContain("Seq Scan");
  });
});

it("forgets the lock rows of idle customers, and only these", async () => {
  const store = postgresSessionStore(sql, schema);
  const session = { appId: "app_1", tokenHash: "t", expiresAt: 90 };
  await expectOk(store.open({ ...session, customerId: "idle", gmtCreate: 1 }, 5));
  await expectOk(store.open({ ...session, customerId: "busy", gmtCreate: 2 }, 5));
  expect(await expectOk(store.forgetIdle(2, 100))).toBe(1);
  const left = await sql.query(statement("test_owners", `select customer_id from ${owners}`), []);
  expect(left).toEqual([{ customer_id: "busy" }]);
});
