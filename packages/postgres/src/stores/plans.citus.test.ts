import { readFile } from "node:fs/promises";
import { expectOk } from "@tillkit/contract-tests";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../admin/migrate.js";
import { postgresStores } from "./postgres-stores.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted } from "../sql/tables.js";
import { citusClient, distributeSchema } from "../testing/citus.js";
import { freshSchema, KEY } from "../testing/databases.js";
import { fullRun } from "../testing/full-run.js";
import { argumentsSql } from "../testing/arguments-sql.js";
import { type RecordedCall, recordingClient } from "../testing/recording-client.js";

const schema = freshSchema();
let sql: SqlClient;
let calls: readonly RecordedCall[];
let asides: readonly string[];
beforeAll(async () => {
  sql = citusClient();
  await expectOk(migrate({ sql, schema }));
  await distributeSchema(quoted(schema));
  const recording = recordingClient(sql);
  const stores = postgresStores({ sql: recording.sql, schema, credentialKeys: [KEY] });
  await fullRun(stores, { appId: "app_1", customers: ["customer-1"] });
  calls = recording.calls;
  asides = [...new Set(recording.scripts)];
}, 300_000);
afterAll(async () => {
  await sql.script(`drop schema ${quoted(schema)} cascade`);
  await sql.close();
});

it("a cluster runs every statement that statements-on-a-cluster.md marks with one node as one task", async () => {
  const file = new URL("../../../../docs/internals/statements-on-a-cluster.md", import.meta.url);
  const page = await readFile(file, "utf8");
  const single = new Set([...page.matchAll(/^\| `([a-z_]+)` .*\| one node +\|/gm)].map(([, name]) => name));
  expect(single.size).toBeGreaterThan(0);
  const found = new Set<string>();
  let explained = 0;
  for (const { statement: one, values } of calls) {
    const method = one.name.replace(/_[0-9a-f]{16}$/, "");
    if (!single.has(method)) continue;
    explained += 1;
    // A worker that cannot explain its part ends the transaction.
    const plan = await sql.transaction(async (transaction) => {
      // Some statements use a temporary table of their transaction.
      for (const script of ["set local plan_cache_mode = force_custom_plan", ...asides])
        await transaction.script(script);
      await transaction.script(`prepare explained as ${one.text}`);
      const explain = `explain (format json) execute explained${argumentsSql(values)}`;
      const rows = await transaction.query(statement("test_explain", explain), []);
      await transaction.script("deallocate explained");
      return rows;
    });
    for (const problem of problemsOf(plan)) found.add(`${method}: ${problem}`);
  }
  expect([...found], [...found].toSorted().join("; ")).toEqual([]);
  expect(explained).toBeGreaterThan(single.size / 2);
}, 300_000);

/** Returns why a plan of the coordinator is not one task on one node. */
function problemsOf(plan: unknown): readonly string[] {
  const text = JSON.stringify(plan);
  const tasks = [...text.matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count));
  if (text.includes('"Subplans"')) return [`passes rows through the coordinator (${tasks.length} queries)`];
  if (tasks.length !== 1) return [`has ${tasks.length} distributed queries`];
  return tasks.filter((count) => count !== 1).map((count) => `has ${count} tasks`);
}
