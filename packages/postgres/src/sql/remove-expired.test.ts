import { expectOk } from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../admin/migrate.js";
import { postgresSessionStore } from "../sessions/session-store.js";
import { removalStatements, removeRows } from "./remove-expired.js";
import { text } from "./row.js";
import type { SqlClient } from "./sql-client.js";
import { statement } from "./statement.js";
import { quoted, tablesOf } from "./tables.js";
import { freshSchema, serverClient } from "../testing/databases.js";

const schema = freshSchema();
const { sessions, session_owners: owners } = tablesOf(schema);
let sql: SqlClient;
beforeAll(async () => {
  sql = serverClient({ max: 1 });
  await expectOk(migrate({ sql, schema }));
});
afterAll(async () => {
  await sql.script(`drop schema ${quoted(schema)} cascade`);
  await sql.close();
});

const removal = removalStatements({
  method: "test_removal",
  table: sessions,
  key: ["customer_id", "app_id", "token_hash"],
  column: "expires_ms",
});

describe("removalStatements", () => {
  it.each(["force_custom_plan", "force_generic_plan"])("reads no table completely with %s", async (mode) => {
    await sql.script(`
      insert into ${sessions} (customer_id, app_id, token_hash, created_ms, expires_ms)
        select md5(i::text), 'app_1', md5(i::text), i, i from generate_series(1, 20000) i on conflict do nothing;
      analyze ${sessions};
      set plan_cache_mode = ${mode};
      prepare due_${mode} (bigint, bigint) as ${removal.due.text};
      prepare remove_${mode} (text, bigint) as ${removal.remove.text}`);
    for (const [call, index] of [
      [`due_${mode} (10000, 500)`, /Index (Only )?Scan/],
      // With the index of the expiry, rows would be locked in another order than by other
      // statements.
      [`remove_${mode} ('[]', 100)`, /Index Scan using sessions_(?:pkey|of_token)/],
    ] as const) {
      const explain = statement(`test_${call}`, `explain (costs off) execute ${call}`);
      const plan = (await sql.query(explain, [])).map((row) => text(row, "QUERY PLAN")).join("\n");
      expect(plan).toMatch(index);
      expect(plan).not.toContain("Seq Scan");
    }
  });
});

it("removeRows removes no row that becomes live after the call found it", async () => {
  await sql.script(`delete from ${sessions};
    insert into ${sessions} select 'customer-' || i, 'app_1', 'token', 1, i from generate_series(1, 3) i`);
  const extending: SqlClient = {
    ...sql,
    query: async (one, values) => {
      if (one === removal.remove)
        await sql.script(`update ${sessions} set expires_ms = 90 where customer_id = 'customer-2'`);
      return sql.query(one, values);
    },
  };
  expect(await removeRows(extending, removal, 50, 100)).toBe(2);
  const left = await sql.query(statement("test_sessions", `select customer_id from ${sessions}`), []);
  expect(left).toEqual([{ customer_id: "customer-2" }]);
});

it("forgetIdle removes the lock rows of idle customers only", async () => {
  const store = postgresSessionStore(sql, schema);
  const session = { appId: "app_1", tokenHash: "t", expiresAt: 90 };
  await expectOk(store.open({ ...session, customerId: "idle", gmtCreate: 1 }, 5));
  await expectOk(store.open({ ...session, customerId: "busy", gmtCreate: 2 }, 5));
  expect(await expectOk(store.forgetIdle(2, 100))).toBe(1);
  const left = await sql.query(statement("test_owners", `select customer_id from ${owners}`), []);
  expect(left).toEqual([{ customer_id: "busy" }]);
});
