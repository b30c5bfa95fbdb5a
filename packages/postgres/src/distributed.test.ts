import { readFile } from "node:fs/promises";
import { format } from "prettier";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EXPECTED_SCHEMA } from "./expected-schema.js";
import { DISTRIBUTION_COLUMNS } from "./distribution.js";
import { postgresStores } from "./postgres-stores.js";
import { text } from "./row.js";
import type { SqlClient } from "./sql-client.js";
import { statement } from "./statement.js";
import { quoted, TABLE_NAMES, tablesOf } from "./tables.js";
import { freshSchema, KEY, serverClient } from "./testing/databases.js";
import { batchedRun } from "./testing/batched-run.js";
import { fullRun } from "./testing/full-run.js";
import { argumentsSql } from "./testing/arguments-sql.js";
import { type RecordedCall, recordingClient } from "./testing/recording-client.js";

// A distributed PostgreSQL sends a statement to one node if the value of the distribution column
// determines the node. The planner of any PostgreSQL makes the same decision for partitions. So
// this test partitions every distributed table by the hash of its distribution column.
const PARTS = 8;

/** Creations and imports share these statements, and each row goes to the node of its key. */
const OF_SEVERAL_ORDERS: ReadonlySet<string> = new Set([
  "customer_order_insert_rows",
  "imported_order_id_claim",
  "order_insert_rows",
  "timeline_append",
]);

const schema = freshSchema();
let sql: SqlClient;
let calls: readonly RecordedCall[];
let asides: readonly string[];
beforeAll(async () => {
  sql = serverClient({ max: 2 });
  await sql.script(partitionedSql());
  const recording = recordingClient(sql);
  const stores = postgresStores({ sql: recording.sql, schema, credentialKeys: [KEY], distributed: true });
  const run = { appId: "app_1", customers: ["customer-1"] };
  await fullRun(stores, run);
  await batchedRun(stores, run);
  calls = recording.calls;
  asides = [...new Set(recording.scripts)];
}, 60_000);
afterAll(async () => {
  await sql.script(`drop schema ${quoted(schema)} cascade`);
  await sql.close();
});

it("sends every statement to one node, except those that the page on scaling lists with their tables", async () => {
  const staged = new Set<string>();
  const byKeys = new Set<string>();
  const reached = new Map<string, { readonly tables: Set<string>; readonly nodes: number }>();
  await sql.transaction(async (transaction) => {
    await transaction.script(`set local plan_cache_mode = force_custom_plan; ${asides.join(";")}`);
    for (const [index, { statement: one, values }] of calls.entries()) {
      await transaction.script(`prepare reach_${index} as ${one.text}`);
      const explain = `explain (format json) execute reach_${index}${argumentsSql(values)}`;
      const [row] = await transaction.query(statement("test_reach", explain), []);
      const parts = [...JSON.stringify(row).matchAll(/"Relation Name":"[a-z_]+_part_(\d+)"/g)];
      const nodes = new Set(parts.map(([, part]) => part)).size;
      const method = one.name.replace(/_[0-9a-f]{16}$/, "");
      // Citus computes rows that come from no table on the coordinator, before it inserts them.
      if (/insert into "/.test(one.text) && /json_to_recordset|pg_temp\./.test(one.text)) staged.add(method);
      if (nodes > 1 && nodes <= listedKeys(one.text, "$1", values[0])) byKeys.add(method);
      // These keys are in one shard of a cluster: see `batchedByShard`.
      const ofOneShard = nodes <= listedKeys(one.text, "$2", values[1]);
      const before = reached.get(method)?.nodes ?? 0;
      reached.set(method, {
        tables: tablesIn(one.text),
        nodes: Math.max(before, ofOneShard ? Math.min(nodes, 1) : nodes),
      });
    }
  });
  const rows = [...reached].map(([method, { tables, nodes }]) => {
    const spread = [...tables].some((table) => distributionOf(table) !== null);
    const reach = staged.has(method)
      ? "coordinator"
      : OF_SEVERAL_ORDERS.has(method)
        ? "nodes of the keys"
        : nodes > 1
          ? byKeys.has(method)
            ? "nodes of the keys"
            : "every node"
          : spread
            ? "one node"
            : "any node";
    return `| \`${method}\` | ${[...tables].toSorted().join(", ")} | ${reach} |`;
  });
  const table = ["| Statement | Tables | Runs on |", "| --- | --- | --- |", ...rows.toSorted()].join("\n");
  const page = await readFile(new URL("../../../docs/internals/scaling.md", import.meta.url), "utf8");
  expect(page).toContain(await format(table, { parser: "markdown", printWidth: 110 }));
});

it("writes with no column function whose result could differ between nodes", async () => {
  const unsteady = statement(
    "test_unsteady",
    `select distinct proname::text as name from pg_proc
     where provolatile <> 'i' and proname = any (array(select json_array_elements_text($1::text::json)))`,
  );
  const found = new Set<string>();
  for (const { statement: one } of calls) {
    if (!/\b(insert|update|delete)\b/.test(one.text)) continue;
    // A distributed PostgreSQL evaluates a function of a parameter once, before it sends the
    // statement.
    const names = [...one.text.matchAll(/\b([a-z_0-9]+)\((?!\$)/g)].map(([, name]) => name);
    for (const row of await sql.query(unsteady, [JSON.stringify(names)]))
      found.add(`${one.name}: ${text(row, "name")}`);
  }
  expect([...found]).toEqual([]);
});

function partitionedSql(): string {
  const tables = tablesOf(schema);
  const made = Object.entries(EXPECTED_SCHEMA).map(([name, { columns, constraints }]) => {
    const table = `${quoted(schema)}.${quoted(name)}`;
    const members = [
      ...Object.entries(columns).map(([column, definition]) => `${quoted(column)} ${definition}`),
      ...Object.values(constraints),
    ].join(", ");
    const column = distributionOf(name);
    if (column === null) return `create table ${table} (${members});`;
    const parts = Array.from(
      { length: PARTS },
      (_, part) =>
        `create table ${quoted(schema)}.${quoted(`${name}_part_${part}`)} partition of ${table} for values with (modulus ${PARTS}, remainder ${part});`,
    );
    return [`create table ${table} (${members}) partition by hash (${column});`, ...parts].join("\n");
  });
  const current = `create unique index on ${tables.pay_tools} (app_id, pay_channel) where is_current;`;
  return [`create schema ${quoted(schema)};`, ...made, current].join("\n");
}

/**
 * Returns the number of keys in an array literal, if the first condition of each part is the list
 * of keys `placeholder`.
 */
function listedKeys(sqlText: string, placeholder: string, literal: unknown): number {
  const conditions = [...sqlText.matchAll(/where (?:\w+\.)?\w+ = any\((\$\d)::text\[\]\)/g)];
  if (conditions.length === 0 || conditions.some(([, found]) => found !== placeholder)) return 0;
  return String(literal).split('","').length;
}

function tablesIn(sqlText: string): Set<string> {
  const named = sqlText.split(`${quoted(schema)}.`).map((rest) => /^[a-z_]+/.exec(rest)?.[0]);
  return new Set(TABLE_NAMES.filter((table) => named.includes(table)));
}

function distributionOf(table: string): string | null {
  return new Map<string, string | null>(Object.entries(DISTRIBUTION_COLUMNS)).get(table) ?? null;
}
