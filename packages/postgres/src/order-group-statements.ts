import { askedSql } from "./asked.js";
import { ORDER_COLUMNS, orderColumns } from "./order-row.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";
import { appendSql, hashSql } from "./timeline-sql.js";

/** The statements of the order store that serve several calls: `$1` is the asks, and each row but those of `insert` has the place of its ask in `n`. */
export interface OrderGroupStatements {
  /** The columns of each order, and its `entry`; gives the orders that are new. */
  readonly insert: SqlStatement;
  /** Keys. */
  readonly find: SqlStatement;
  /** App, customer, rows to leave out, rows at most; the second with a status. A row's place in its page is `nth`. */
  readonly list: SqlStatement;
  readonly listByStatus: SqlStatement;
  /** Keys with prepayments. */
  readonly attachPrepayment: SqlStatement;
}

const KEY = "biz_no text, app_id text";
const COLUMNS = orderColumns();
/** Times and money are numbers, everything else is text. */
const TYPED = ORDER_COLUMNS.map((column) => `${column} ${/_(ms|cents)$/.test(column) ? "bigint" : "text"}`);

/** The statements of groups of the order store over `tables`. */
export function orderGroupStatements(tables: Tables): OrderGroupStatements {
  const { orders } = tables;
  return {
    // Rows go in by the order of their keys: two groups that meet wait for each other at the first key they share, and never in a circle.
    insert: statement(
      "order_insert_grouped",
      `with asked as (
         select * from ${askedSql(`${TYPED.join(", ")}, entry text`)}
       ), made as (
         insert into ${orders} (${COLUMNS}, timeline_seq, timeline_hash)
         select ${COLUMNS}, 1, ${hashSql("id", "entry")} from asked order by biz_no, app_id
         on conflict do nothing
         returning ${COLUMNS}, timeline_hash
       ), begun as (
         select entry, made.* from asked join made using (biz_no, app_id)
       ), event as (
         ${appendSql(tables, { from: "begun", entry: "entry", seq: "1", previous: "id", hash: "timeline_hash" })}
       )
       select ${COLUMNS} from made`,
    ),
    find: statement(
      "order_find_grouped",
      `select asked.n, ${orderColumns("o")} from ${askedSql(KEY)} cross join lateral (${ofKey(orders)}) o`,
    ),
    list: statement("order_list_grouped", listSql(orders)),
    listByStatus: statement("order_list_by_status_grouped", listSql(orders, "payment_status")),
    // A row that a transaction has locked is passed over: a transition holds its row through several round trips. One that was changed since the statement
    // began is locked as it is now, which the update does not see: such an ask has no answer here, unless the change was a prepayment.
    attachPrepayment: statement(
      "order_attach_prepayment_grouped",
      `with held as (
         select asked.n, asked.issued_ms, asked.valid_ms, asked.prepayment, o.*
         from ${askedSql(`${KEY}, issued_ms bigint, valid_ms bigint, prepayment text`)}
         cross join lateral (${ofKey(orders)} for update skip locked) o
       ), attached as (
         update ${orders} o set prepayment_issued_ms = held.issued_ms, prepayment_valid_until_ms = held.valid_ms,
           prepayment_values = held.prepayment, claim_id = null, claim_until_ms = null
         from held
         where o.ctid = held.ctid
           and (held.prepayment_valid_until_ms is null or held.prepayment_valid_until_ms <= held.issued_ms)
         returning held.n, ${orderColumns("o")}
       )
       select n, ${COLUMNS} from attached
       union all
       select n, ${COLUMNS} from held where prepayment_valid_until_ms > issued_ms`,
    ),
  };
}

/**
 * The order of the key in `asked`. One row of one index, however the planner came to know the table: a plan is kept, and a join that was planned while
 * the table was empty might later read all of it.
 */
function ofKey(orders: string): string {
  return `select ctid, ${COLUMNS} from ${orders} where biz_no = asked.biz_no and app_id = asked.app_id limit 1`;
}

/**
 * Pages with the counts of all: one past the end still has its count, in a row without an order. Where a page begins is found in the index alone: a page far down
 * reads none of the rows before it.
 */
function listSql(orders: string, status?: "payment_status"): string {
  const equal = ["app_id", "customer_identity", ...(status === undefined ? [] : [status])];
  const where = equal.map((column) => `o.${column} = asked.${column}`).join(" and ");
  const newestFirst = "order by o.created_ms desc, o.id desc";
  return `select asked.n, counted.total_count, page.*
    from ${askedSql(`${equal.map((column) => `${column} text`).join(", ")}, skipped bigint, at_most bigint`)}
    cross join lateral (select count(*) as total_count from ${orders} o where ${where}) counted
    left join lateral (
      select o.created_ms, o.id from ${orders} o where ${where} ${newestFirst} offset asked.skipped limit 1
    ) top on true
    left join lateral (
      select ${orderColumns("o")}, (row_number() over (${newestFirst}))::int as nth
      from ${orders} o where ${where} and (o.created_ms, o.id) <= (top.created_ms, top.id)
      ${newestFirst} limit asked.at_most
    ) page on true`;
}
