import { FIXTURE_TIME, caseCount, DAY } from "@tillkit/contract-tests";
import { integer, text } from "../sql/row.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted, TABLE_NAMES, type Tables, tablesOf } from "../sql/tables.js";

/** The number of orders. */
export const ORDERS = caseCount({ few: 100_000, many: 2_000_000 });

/** Customers of `BIG_APP` with 10 orders, with 1,000 orders, and with a tenth of all orders. */
export const CUSTOMERS = [`c-${ORDERS - 1}`, `c-${ORDERS / 1_000}`, "c-0"] as const;

/** The customer with a tenth of all orders. */
export const VERY_MANY = CUSTOMERS[2];

/** The app that owns half of the rows, and all customers with a large number of orders. */
export const BIG_APP = "app_0";

/**
 * Fills `schema` with `ORDERS` orders and the related customers, sessions and counters.
 *
 * One customer has a tenth of the orders. Customers with 1,000 orders each share another tenth.
 * Every other customer has ten orders. At the end the function analyzes the tables for the planner.
 */
export async function fillSchema(sql: SqlClient, schema: string): Promise<void> {
  const tables = tablesOf(schema);
  const made = await indexesOf(sql, schema);
  // Filling unlogged tables is faster, and so is creating the indexes after the rows.
  const bulk = Object.values(tables).map((table) => `alter table ${table} set unlogged;`);
  await sql.script([...bulk, ...made.map(({ drop }) => drop)].join("\n"));
  await inTwo(sql, rowsSql(tables));
  await inTwo(
    sql,
    made.map(({ create }) => create),
  );
  // Without a vacuum, an index-only scan would have to read the table.
  for (const table of TABLE_NAMES) await sql.script(`vacuum analyze ${tables[table]}`);
}

/** Runs the scripts on two connections. */
async function inTwo(sql: SqlClient, scripts: readonly string[]): Promise<void> {
  const waiting = [...scripts];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await sql.script(`set maintenance_work_mem = '256MB'; ${next}`);
    }
  };
  await Promise.all([worker(), worker()]);
}

async function indexesOf(sql: SqlClient, schema: string) {
  const indexes = statement(
    "test_indexes",
    `select i.relname::text as index_name, c.relname::text as table_name, k.conname::text as constraint_name,
       pg_get_indexdef(i.oid) as index_sql, pg_get_constraintdef(k.oid) as constraint_sql, c.relpages as pages
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
     join pg_namespace n on n.oid = c.relnamespace left join pg_constraint k on k.conindid = i.oid
     where n.nspname = $1`,
  );
  return (await sql.query(indexes, [schema])).map((row) => {
    const [table, index] = [text(row, "table_name"), text(row, "index_name")].map(
      (name) => `${quoted(schema)}.${quoted(name)}`,
    );
    if (row["constraint_name"] === null)
      return { drop: `drop index ${index ?? ""};`, create: text(row, "index_sql") };
    const name = quoted(text(row, "constraint_name"));
    return {
      drop: `alter table ${table ?? ""} drop constraint ${name};`,
      create: `alter table ${table ?? ""} add constraint ${name} ${text(row, "constraint_sql")}`,
    };
  });
}

/** Returns SQL that inserts the rows of each large table. */
function rowsSql(tables: Tables): readonly string[] {
  // `g` is the number of the order, and `who` is the number of its customer.
  const orders = `from (select g, case when g < ${ORDERS / 10} then 0 when g < ${ORDERS / 5} then g / 1000 * 10 else g / 10 * 10 + 9 end as who
    from generate_series(0, ${ORDERS - 1}) g) made`;
  const app = `'app_' || case when g < ${ORDERS / 2} or who = ${ORDERS - 1} then 0 else who % 20 end`;
  const at = `${FIXTURE_TIME - 1000 * DAY} + g * 86400::bigint`;
  const key = `'biz-m' || g, ${app}`;
  const hash = "md5(g::text) || md5(g::text)";
  const bytes = `decode(${hash}, 'hex')`;
  const people = `from generate_series(1, ${ORDERS / 10}) g`;
  return [
    `insert into ${tables.orders} (biz_no, app_id, id, customer_identity, customer_name, amount_cents, goods_title, pay_channel, pay_source,
       payment_status, attach_data, pay_tool_id, notify_url, return_url, expires_ms, paid_ms, refunded_cents, next_query_ms, created_ms, modified_ms, timeline_seq, timeline_hash)
     select ${key}, '01M' || lpad(g::text, 23, '0'), 'c-' || who, null, 600, 'Thirty days', 'WALLET_A', 'APP',
       case when g % 100 < 88 then 'PAID' when g % 100 < 96 then 'CLOSE' when g % 100 < 99 then 'REFUND' else 'PENDING' end,
       '{"product":"p1"}', '01TESTPAYTOOL', 'https://pay.example/notify/1', 'https://pay.example/return', ${at} + 7200000,
       case when g % 100 < 88 or g % 100 in (96, 97, 98) then ${at} + 60000 end, 0,
       case when g % 1000 = 999 then ${FIXTURE_TIME} + (g - ${ORDERS / 2}) * 100 end, ${at}, ${at}, 2, ${bytes} ${orders}`,
    `insert into ${tables.customer_orders} (customer_identity, app_id, created_ms, id, biz_no)
      select customer_identity, app_id, created_ms, id, biz_no from ${tables.orders}`,
    `insert into ${tables.timeline} (biz_no, app_id, seq, type, at_ms, actor, reason, alarm, hash)
     select ${key}, 1, 'CREATED', ${at}, 'caller', 'POST /order.json', g % 100 = 5, ${bytes} ${orders}`,
    `insert into ${tables.refunds} (biz_no, app_id, refund_no, amount_cents, reason, operator, status, next_try_ms, created_ms, modified_ms)
     select ${key}, 'refund-' || g, 100, 'changed their mind', 'han', case when g % 1000 = 99 then 'SENT' else 'CONFIRMED' end,
       case when g % 1000 = 99 then ${FIXTURE_TIME} + (g - ${ORDERS / 2}) * 100 end, ${at}, ${at} ${orders} where g % 25 = 24`,
    `insert into ${tables.refund_approvals} (biz_no, app_id, refund_no, id, amount_cents, reason, requested_by, requester_key, requested_ms, state, due_ms)
     select ${key}, 'refund-' || g, 'a' || g, 100, 'changed their mind', 'han', 'han', ${at},
       case when g % 50 = 49 then 'WAITING' when g % 50 = 24 then 'REJECTED' else 'APPROVED' end,
       case when g % 1000 = 4 then ${FIXTURE_TIME} + (g - ${ORDERS / 2}) * 100 end ${orders} where g % 5 = 4`,
    `insert into ${tables.bill_lines} (run_id, kind, out_trade_no, refund_no, amount_cents, state, wallet_trade_no, staged_ms)
     select 'run-m' || g % 10, 'payment', '01M' || lpad(g::text, 23, '0'), '', 600, 'DONE', '42' || g, ${FIXTURE_TIME} + (g - 1000) * 1000 ${people}`,
    `insert into ${tables.bill_settlements} (run_id, settlement_no, stated_lines, open_lines, stated_received_cents, stated_fee_cents,
       moved_lines, moved_received_cents, moved_fee_cents, out_trade_no, refund_no, staged_ms)
     select 'run-m' || g % 10, '42' || lpad(g::text, 26, '0'), 1, 0, 600, 4, 2, 600, 4, '01M' || lpad(g::text, 23, '0'), null, ${FIXTURE_TIME} + (g - 1000) * 1000 ${people}`,
    `insert into ${tables.bill_exceptions} (id, pay_channel, app_env, account_id, day, kind, out_trade_no, state, as_of_ms, created_ms, modified_ms, opened_ms)
     select 'e' || g, 'WALLET_A', 'DEV', '1900000001', '2026-01-' || lpad((g % 28 + 1)::text, 2, '0'), 'PAYMENT_NOT_HERE', '01M' || lpad(g::text, 23, '0'),
       case when g % 100 = 0 then 'OPEN' else 'RESOLVED' end, ${FIXTURE_TIME}, ${FIXTURE_TIME} + g, ${FIXTURE_TIME}, ${FIXTURE_TIME} + g ${people}`,
    `insert into ${tables.bill_days} (day, pay_channel, app_env, account_id, matched, fees_cents, as_of_ms)
     select to_char(date '2000-01-01' + g / 4, 'YYYY-MM-DD'), 'WALLET_A', 'DEV', '190000000' || g % 4, 100, 60, ${FIXTURE_TIME} ${people}`,
    `insert into ${tables.bill_runs} (run_id, day, pay_channel, app_env, account_id, as_of_ms, state, changed_ms, lines, unreadable, fees_cents)
     select 'run-m' || g, to_char(date '2000-01-01' + g / 4, 'YYYY-MM-DD'), 'WALLET_A', 'DEV', '190000000' || g % 4, ${FIXTURE_TIME},
       case when g % 1000 = 5 then 'REPLACED' else 'KEPT' end, ${FIXTURE_TIME} + (g - 1000) * 1000, 10, 0, 60 ${people}`,
    `insert into ${tables.kept_bill_lines} (run_id, position, app_id, biz_no, kind, out_trade_no, amount_cents, state, wallet_trade_no, settlement_no, received_cents, fee_cents)
     select 'run-m' || g, seq, 'app_' || g % 20, 'b-' || g, 'payment', '01M' || lpad((g * 10 + seq)::text, 23, '0'), 600, 'DONE', '42' || g, '42' || g, 600, 4
     ${people} cross join generate_series(1, 10) seq`,
    `insert into ${tables.services} (customer_identity, app_id, service_type_no, service_no, service_name, expire_ms, grants_made, created_ms)
     select 'c-' || g * 10 + 9, 'app_' || g % 20, 'T-1', 'S-' || g, 'Member', ${FIXTURE_TIME}, 2, ${FIXTURE_TIME} ${people}`,
    `insert into ${tables.service_grants} (customer_identity, app_id, service_type_no, order_id, seq, granted_ms, duration_ms)
     select 'c-' || g * 10 + 9, 'app_' || g % 20, 'T-1', '01M' || lpad((g * 10 + seq)::text, 23, '0'), seq, ${FIXTURE_TIME}, ${DAY} ${people} cross join generate_series(1, 2) seq`,
    `insert into ${tables.customers} (phone_hash, app_id, customer_id, created_ms) select 'v1:' || ${hash}, 'app_' || g % 20, 'cus_' || g, ${FIXTURE_TIME} ${people}`,
    `insert into ${tables.auth_codes} (phone_hash, app_id, code_hashes, codes_expire_ms, tries_before, tries, day_tries, day_ends_ms, ends_ms) select 'v1:' || ${hash}, 'app_' || g % 20, array['v1:' || ${hash}], array[${FIXTURE_TIME} + (g - 1000) * 1000], array[0], 0, 0, 0, ${FIXTURE_TIME} + (g - 1000) * 1000 ${people}`,
    `insert into ${tables.session_owners} (customer_id, app_id, opened_ms) select 'cus_' || g, 'app_' || g % 20, ${FIXTURE_TIME} + (g - 1000) * 1000 ${people}`,
    `insert into ${tables.sessions} (customer_id, app_id, token_hash, created_ms, expires_ms) select 'cus_' || g, 'app_' || g % 20, ${hash} || seq, ${FIXTURE_TIME}, ${FIXTURE_TIME} + (g - 1000) * 1000 ${people} cross join generate_series(1, 3) seq`,
    `insert into ${tables.quotas} (subject, scope, day, used) select 'v1:' || ${hash}, 'sms', '2026-01-' || (g % 28 + 1), 1 ${people}`,
    `insert into ${tables.quota_spacing} (subject, scope, granted_ms) select 'v1:' || ${hash}, 'sms', ${FIXTURE_TIME} ${people}`,
    `insert into ${tables.downloads} (app_id, store, day, new_downloads, update_downloads)
     select 'app_' || app, 'store_' || lpad(store::text, 2, '0'), date '2021-01-01' + day, 3, 5
     from generate_series(0, 4) app cross join generate_series(1, 17) store cross join generate_series(0, 1999) day`,
    `insert into ${tables.apps} (app_id, name, account_based, check_email, check_phone, check_card, disabled, secrets, created_ms, modified_ms)
     select 'app_' || g, 'Demo', true, true, true, true, false, '[]', ${FIXTURE_TIME}, ${FIXTURE_TIME} from generate_series(0, 19) g`,
  ];
}

/** Returns the number of pages of each table in `schema`. */
export async function pagesOf(sql: SqlClient, schema: string): Promise<ReadonlyMap<string, number>> {
  const pages = statement(
    "test_pages",
    `select c.relname::text as name, c.relpages as pages from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind = 'r'`,
  );
  const rows = await sql.query(pages, [schema]);
  return new Map(rows.map((row) => [text(row, "name"), integer(row, "pages")]));
}
