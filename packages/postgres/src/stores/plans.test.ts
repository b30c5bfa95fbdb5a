import { expectOk } from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { migrate } from "../admin/migrate.js";
import { EXAMINED_ROWS } from "../sql/bounded-list.js";
import { CONSIDERED_ALARMS } from "../orders/order-search-statements.js";
import { postgresStores } from "./postgres-stores.js";
import type { SqlClient, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted } from "../sql/tables.js";
import { freshSchema, KEY, serverClient } from "../testing/databases.js";
import { contendedRun } from "../testing/contended-run.js";
import { fullRun } from "../testing/full-run.js";
import { batchedRun } from "../testing/batched-run.js";
import { BIG_APP, CUSTOMERS, fillSchema, ORDERS, pagesOf, VERY_MANY } from "../testing/many-rows.js";
import { argumentsSql } from "../testing/arguments-sql.js";
import { type RecordedCall, recordingClient } from "../testing/recording-client.js";

// Records every statement of the stores, to find those that the run below omits.
const defined = vi.hoisted((): string[] => {
  // Test files share modules. The reset gives this file its own copies, with the mock below.
  vi.resetModules();
  return [];
});
vi.mock(import("../sql/statement.js"), async (original) => {
  const real = await original();
  return {
    statement: (method, text) => {
      const made = real.statement(method, text);
      defined.push(made.name);
      return made;
    },
  };
});

/** PostgreSQL may read a table completely if it has at most this many pages. */
const FEW_PAGES = 5;
/** The number of rows in one page of a list. */
const PAGE = 100;
/**
 * The maximum number of rows that a statement may sort.
 *
 * A report sorts all its rows, of up to 366 days and 17 stores. An import sorts one portion of its
 * file at a time. The lists of alarms sort the newest open alarms, and the figures of a day sort
 * the refunds of the day. Another list may sort as many rows as it examines.
 */
const SORTED: ReadonlyMap<string, number> = new Map([
  ["downloads_read", 400 * 17],
  // A merge of stores sorts the days of one app, for up to ten years.
  ["downloads_in_both", 3_661],
  ["downloads_move", 3_661],
  ["downloads_portion", 1_000],
  ["order_search_with_alarm", CONSIDERED_ALARMS],
  ["order_count_with_alarm", CONSIDERED_ALARMS],
  ["order_alarms", CONSIDERED_ALARMS],
  ["order_sales_refunds", 1_000],
  // A report adds up the lines of the bills of a month, by app.
  ["kept_bill_sums", 1_000_000],
  // Lists the bills of up to 366 days. Reading an index costs about as much as sorting.
  ["kept_bill_list", 400 * 4],
  // A generic plan expects as many counters for an hour as for a day.
  ["quota_list", 10_000],
  ...(
    [
      "refund_search",
      "refund_search_examined",
      "refund_search_operator",
      "refund_search_operator_examined",
      "refund_search_app",
      "refund_search_app_examined",
      "refund_search_status",
      "refund_search_status_examined",
      "bill_exception_list",
      "bill_exception_list_examined",
      "bill_exception_list_count",
      "bill_exception_list_of_day",
      "bill_exception_list_of_day_examined",
      "bill_exception_list_of_day_count",
      "bill_exception_list_of_order",
      "bill_exception_list_of_order_examined",
      "bill_exception_list_of_order_count",
    ] as const
  ).map((name) => [name, EXAMINED_ROWS] as const),
]);

const schema = freshSchema();
let sql: SqlClient;
let calls: readonly RecordedCall[];
let asides: readonly string[];
let stores: readonly string[];
let pages: ReadonlyMap<string, number>;
beforeAll(async () => {
  sql = serverClient({ max: 2, statementMs: 0 });
  await expectOk(migrate({ sql, schema }));
  await fillSchema(sql, schema);
  const recording = recordingClient(sql);
  defined.length = 0;
  // The statements for a cluster run on any server.
  for (const distributed of [false, true]) {
    const made = postgresStores({ sql: recording.sql, schema, credentialKeys: [KEY], distributed });
    await fullRun(made, { appId: BIG_APP, customers: CUSTOMERS });
    await batchedRun(made, { appId: BIG_APP, customers: CUSTOMERS });
  }
  stores = [...new Set(defined)].toSorted();
  await contendedRun(recording.sql, schema, BIG_APP);
  calls = recording.calls;
  asides = [...new Set(recording.scripts)];
  pages = await pagesOf(sql, schema);
}, 600_000);
afterAll(async () => {
  vi.doUnmock("../sql/statement.js");
  vi.resetModules();
  await sql.script(`drop schema ${quoted(schema)} cascade`);
  await sql.close();
});

it("the recorded run executes every statement of the stores", () => {
  const run = new Set(calls.map((call) => call.statement.name));
  expect(stores.length).toBeGreaterThan(0);
  expect(
    stores.filter((name) => !run.has(name)),
    "call its method in full-run.ts",
  ).toEqual([]);
});

describe.each(["force_generic_plan", "force_custom_plan"])(`with ${ORDERS} orders: %s`, (mode) => {
  it("reads no table completely and sorts at most one page", async () => {
    const found = new Set<string>();
    await sql.transaction(async (transaction) => {
      await transaction.script(`set local plan_cache_mode = ${mode}`);
      // Some statements use a temporary table of their transaction.
      await transaction.script(asides.join(";"));
      for (const [index, call] of calls.entries()) {
        const name = `explained_${index}`;
        await transaction.script(`prepare ${name} as ${call.statement.text}`);
        const explain = `explain (format json) execute ${name}${argumentsSql(call.values)}`;
        const [row] = await transaction.query(statement("test_explain", explain), []);
        await transaction.script(`deallocate ${name}`);
        const [{ Plan: plan }] = explained.parse(row?.["QUERY PLAN"]);
        const method = call.statement.name.replace(/_[0-9a-f]{16}$/, "");
        for (const problem of problemsOf(plan, SORTED.get(method) ?? PAGE))
          found.add(`${method}: ${problem}`);
        if (
          /^order_list/.test(method) &&
          call.values.some((value) => namesCustomer(value, VERY_MANY)) &&
          !JSON.stringify(plan).includes('"Index Only Scan"')
        )
          found.add(`${method}: counts by reading orders`);
      }
    });
    expect([...found]).toEqual([]);
  });
});

const node = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Plan Rows": z.number(),
  get Plans(): z.ZodOptional<z.ZodArray<typeof node>> {
    return z.array(node).optional();
  },
});
const explained = z.tuple([z.object({ Plan: node })]);

function problemsOf(plan: z.output<typeof node>, sorted: number): readonly string[] {
  const { "Node Type": type, "Relation Name": table, "Plan Rows": rows, Plans: parts = [] } = plan;
  const problems = parts.flatMap((part) => problemsOf(part, sorted));
  if (type === "Seq Scan" && (pages.get(table ?? "") ?? 0) > FEW_PAGES)
    problems.push(`reads all of ${table}`);
  // An incremental sort reads one group of equal times after the other, up to the limit.
  if (type === "Sort" && rows > sorted) problems.push(`sorts ${rows} rows`);
  return problems;
}

/** Returns whether `value` names the customer, either as the value itself or inside a batch. */
function namesCustomer(value: SqlValue, customer: string): boolean {
  return value === customer || String(value).includes(`"customer_identity":"${customer}"`);
}
