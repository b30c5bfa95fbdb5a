import { hexSql } from "../sql/chained-hash.js";
import { type AppendingStatement, appendingStatement } from "../timeline/appending-statement.js";
import { dueWorkSql } from "../timeline/due-work.js";
import { type ListOnClusterStatements, listOnClusterStatements } from "./list-on-cluster.js";
import { type ClaimDueStatements, claimDueStatements } from "../timeline/claim-due.js";
import {
  type StatementVariant,
  type StatementVariants,
  statementVariants,
} from "../batching/statement-variants.js";
import type { SqlStatement } from "../sql/sql-client.js";
import { ORDER_COLUMNS, ORDER_TYPES, orderColumns } from "./order-row.js";
import { handlersSql } from "../timeline/handler-names.js";
import { makeDueSql } from "../timeline/make-due-sql.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";
import { appendSql, EVIDENCE, hashSql, timelineSql } from "../timeline/timeline-sql.js";

/** The statements of the order store. For one order, `$1` and `$2` are its key. */
export interface OrderStatements {
  /**
   * Returns a row if the order is new. Returns no row if the order exists.
   *
   * `entry` is the canonical text of the first event. `many` queues nothing for event handlers: use
   * it only if handlers do not receive the type of the first event.
   */
  readonly insert: StatementVariants;
  readonly find: StatementVariants;
  /** Finds an order by its key if it belongs to the customer. */
  readonly findOwn: StatementVariants;
  /** For a cluster. Placeholders: `bizNo`s and apps as array literals. */
  readonly findMany: SqlStatement;
  /**
   * For a cluster. The orders are JSON texts in the column `stored`.
   *
   * On a cluster, each column of a result takes more time than the JSON of a few rows.
   * Placeholders of `many`: `bizNo`s and apps as array literals.
   */
  readonly findOnCluster: { readonly one: SqlStatement; readonly many: SqlStatement };
  /** Like `findOnCluster`, with the customer or the customers as the third placeholder. */
  readonly findOwnOnCluster: { readonly one: SqlStatement; readonly many: SqlStatement };
  readonly findById: SqlStatement;
  /** Placeholder: ids as a JSON array. */
  readonly findByIds: SqlStatement;
  /** Placeholders: pay tool, from, until, time and id of the last order before the page, limit. */
  readonly listPaid: SqlStatement;
  /** Placeholders: `bizNo` and app of the last order before the page, limit, from, until. */
  readonly listAll: SqlStatement;
  /** Like `listAll`, for the orders of one app, which is the last placeholder. */
  readonly listAllOfApp: SqlStatement;
  /** Each row has the `total_count`. */
  readonly list: StatementVariants;
  readonly listByStatus: StatementVariants;
  readonly listOnCluster: ListOnClusterStatements;
  readonly claimPrepayment: SqlStatement;
  /** Returns the order with its current prepayment. */
  readonly attachPrepayment: StatementVariants;
  readonly releasePrepayment: SqlStatement;
  /** Further placeholders: pay tool, entry, time of the next query of a PENDING order. */
  readonly connect: AppendingStatement;
  /** Further placeholders: the columns {@link REPLACED_COLUMNS}, entry. */
  readonly replaceImported: AppendingStatement;
  readonly lock: SqlStatement;
  readonly record: AppendingStatement;
  readonly timeline: SqlStatement;
  readonly claimQuery: SqlStatement;
  readonly claimDue: ClaimDueStatements;
  readonly dueSince: SqlStatement;
  readonly schedule: SqlStatement;
  readonly scheduleShipment: SqlStatement;
  /** Like `record`. The last placeholder is the time of the next report. */
  readonly recordShipment: AppendingStatement;
}

const KEY = "biz_no = $1 and app_id = $2";
const KEYS = "biz_no = any($1::text[]) and app_id = any($2::text[])";
const ORDER_KEY = { biz_no: "text", app_id: "text" } as const;
const OWN_KEY = { ...ORDER_KEY, customer_identity: "text" } as const;
const ROW = { ...ORDER_TYPES, entry: "text" } as const;
const PAGE = { app_id: "text", customer_identity: "text", skipped: "bigint", at_most: "bigint" } as const;
// The wallet may have newer information about a CLOSE order. The payment of a PAID order is final.
const ASKABLE = "('PENDING', 'CLOSE')";
// A PAID order is due for the report of its shipment.
const DUE = "('PENDING', 'CLOSE', 'PAID')";
const COLUMNS = orderColumns();
const ORDER_JSON = "row_to_json(stored)::text as stored";
const NEWEST_FIRST = "order by created_ms desc, id desc";

/** The columns that a correction of an imported order replaces. */
export const REPLACED_COLUMNS = [
  "customer_identity",
  "customer_name",
  "amount_cents",
  "goods_title",
  "pay_channel",
  "pay_source",
  "payment_status",
  "attach_data",
  "source_from",
  "pay_tool_id",
  "expires_ms",
  "paid_ms",
  "wallet_trade_no",
  "refunded_cents",
  "next_query_ms",
  "created_ms",
  "modified_ms",
] as const;
const REPLACED_ENTRY = `$${REPLACED_COLUMNS.length + 3}`;

/** Creates the statements of the order store over `tables`. */
export function orderStatements(tables: Tables): OrderStatements {
  const { orders, timeline } = tables;
  // `held` waits for the lock of the order and returns the current row, so decisions from `held`
  // are up to date.
  const stored = `held as (select ${COLUMNS}, timeline_seq, ${hexSql("timeline_hash")} as timeline_hash from ${orders} where ${KEY} for update)`;
  const changedOrHeld = (changed: string): string =>
    `select true as changed, ${COLUMNS} from ${changed}
     union all
     select false, ${COLUMNS} from held where not exists (select from ${changed})`;
  const appendedOrHeld = (changed: string): string =>
    `select true as changed, ${COLUMNS}, timeline_seq, timeline_seq - 1 as previous_seq, previous_hash,
       ${handlersSql(tables)} as handlers
     from ${changed}
     union all
     select false, ${COLUMNS}, timeline_seq, timeline_seq, timeline_hash, null from held
       where not exists (select from ${changed})`;
  const appended = (changed: string, entry: string): string => {
    const chain = { seq: "timeline_seq", hash: "timeline_hash" };
    return `event as (${appendSql(tables, { from: changed, entry, ...chain })}), ${makeDueSql(tables, "event")}`;
  };
  const recording = (name: string, set = "", when = "true"): AppendingStatement =>
    appendingStatement(name, {
      changes: `moved as (
         update ${orders} o set ${set} timeline_seq = before.timeline_seq + 1, timeline_hash = ${hashSql(hexSql("before.timeline_hash"), "$3")}
         from ${orders} before
         where o.biz_no = $1 and o.app_id = $2 and before.biz_no = $1 and before.app_id = $2 and ${when}
           and not exists (select from ${timeline} where ${KEY} and type = $4 and ${EVIDENCE} = $5)
         returning o.biz_no, o.app_id, o.timeline_seq, o.timeline_hash, ${hexSql("before.timeline_hash")} as previous_hash
       )`,
      events: appended("moved", "$3"),
      result: `select true as changed, timeline_seq, timeline_seq - 1 as previous_seq, previous_hash, ${handlersSql(tables)} as handlers
         from moved`,
    });
  return {
    // Rows are inserted in the order of their keys, so that two batches cannot deadlock.
    insert: statementVariants("order_insert", ROW, ({ value, calls, eachCall, unlessBatch }) => {
      const given = [...ORDER_COLUMNS.map(value), "1", hashSql(value("id"), value("entry"))].join(", ");
      return `with asked as ${calls}, made as (
         insert into ${orders} (${COLUMNS}, timeline_seq, timeline_hash)
         ${eachCall(given, "biz_no, app_id", "asked")}
         on conflict do nothing
         returning biz_no, app_id, id, timeline_hash
       ), begun as (
         select asked.n, asked.entry, made.* from asked join made using (biz_no, app_id)
       ), event as (
         ${appendSql(tables, { from: "begun", entry: "entry", seq: "1", hash: "timeline_hash" })}
       ) ${unlessBatch(`, ${makeDueSql(tables, "event")}`)}
       select n from begun`;
    }),
    // With the limit, PostgreSQL looks up the row of each call in an index. PostgreSQL keeps plans:
    // without the limit, a batch could keep a join that was planned for an empty table, and read
    // the whole table.
    find: statementVariants("order_find", ORDER_KEY, ({ isKey, perCall }) =>
      perCall(COLUMNS, `from ${orders} where ${isKey("biz_no", "app_id")} limit 1`),
    ),
    findOwn: statementVariants("order_find_own", OWN_KEY, ({ isKey, perCall }) =>
      perCall(COLUMNS, `from ${orders} where ${isKey("biz_no", "app_id", "customer_identity")} limit 1`),
    ),
    findMany: statement("order_find_many", `select ${COLUMNS} from ${orders} where ${KEYS}`),
    findOnCluster: {
      one: statement("order_find_json", `select ${ORDER_JSON} from ${orders} stored where ${KEY} limit 1`),
      many: statement("order_find_many_json", `select ${ORDER_JSON} from ${orders} stored where ${KEYS}`),
    },
    findOwnOnCluster: {
      one: statement(
        "order_find_own_json",
        `select ${ORDER_JSON} from ${orders} stored where ${KEY} and customer_identity = $3 limit 1`,
      ),
      many: statement(
        "order_find_many_own_json",
        `select ${ORDER_JSON} from ${orders} stored where ${KEYS} and customer_identity = any($3::text[])`,
      ),
    },
    findById: statement("order_find_by_id", `select ${COLUMNS} from ${orders} where id = $1`),
    findByIds: statement(
      "order_find_by_ids",
      `select ${COLUMNS} from ${orders} where id = any(array(select json_array_elements_text($1::text::json)))`,
    ),
    // The index `orders_paid` has only the last four characters of the id.
    listPaid: statement(
      "order_list_paid",
      `select ${COLUMNS} from ${orders}
       where right(pay_tool_id, 4) = right($1, 4) and pay_tool_id = $1 and paid_ms >= $2 and paid_ms < $3 and (paid_ms, id) > ($4, $5)
       order by paid_ms, id limit $6`,
    ),
    // With `+ 0`, PostgreSQL does not use an index on the time. With such an index, it would sort
    // all orders of the period for each page.
    listAll: statement(
      "order_list_all",
      `select ${COLUMNS} from ${orders} where (biz_no, app_id) > ($1, $2) and created_ms + 0 >= $4 and created_ms + 0 < $5
       order by biz_no, app_id limit $3`,
    ),
    listAllOfApp: statement(
      "order_list_all_of_app",
      `select ${COLUMNS} from ${orders}
       where (biz_no, app_id) > ($1, $2) and created_ms + 0 >= $4 and created_ms + 0 < $5 and app_id = $6
       order by biz_no, app_id limit $3`,
    ),
    list: statementVariants("order_list", PAGE, (form) => list(orders, form)),
    listByStatus: statementVariants("order_list_by_status", { ...PAGE, payment_status: "text" }, (form) =>
      listByStatus(orders, form),
    ),
    listOnCluster: listOnClusterStatements(tables),
    claimPrepayment: statement(
      "order_claim_prepayment",
      `with ${stored}, claimed as (
         update ${orders} o set claim_id = $3, claim_until_ms = $4 from held
         where o.biz_no = $1 and o.app_id = $2
           and held.payment_status = 'PENDING'
           and (held.prepayment_valid_until_ms is null or held.prepayment_valid_until_ms <= $5)
           and (held.claim_id is null or held.claim_id = $3 or held.claim_until_ms <= $5)
         returning ${orderColumns("o")}
       ) ${changedOrHeld("claimed")}`,
    ),
    attachPrepayment: statementVariants(
      "order_attach_prepayment",
      { ...ORDER_KEY, issued_ms: "bigint", valid_ms: "bigint", prepayment: "text" },
      ({ value, isKey, lockPerCall, isHeld }) => {
        const given = ["issued_ms", "valid_ms", "prepayment"].map((name) => `${value(name)} as ${name}`);
        const ofKey = `from ${orders} where ${isKey("biz_no", "app_id")}`;
        const isKept = `(held.payment_status not in ${ASKABLE} or coalesce(held.prepayment_valid_until_ms > held.issued_ms, false))`;
        return `with held as (
           ${lockPerCall(`${COLUMNS}, ${given.join(", ")}`, ofKey)}
         ), attached as (
           update ${orders} o set prepayment_issued_ms = held.issued_ms, prepayment_valid_until_ms = held.valid_ms,
             prepayment_values = held.prepayment, claim_id = null, claim_until_ms = null
           from held
           where ${isHeld("o", "biz_no", "app_id")} and not ${isKept}
           returning held.n, ${orderColumns("o")}
         )
         select n, ${COLUMNS} from attached
         union all
         select n, ${COLUMNS} from held where ${isKept}`;
      },
    ),
    releasePrepayment: statement(
      "order_release_prepayment",
      `update ${orders} set claim_id = null, claim_until_ms = null where ${KEY} and claim_id = $3`,
    ),
    connect: appendingStatement("order_connect", {
      changes: `${stored}, connected as (
         update ${orders} o set pay_tool_id = $3,
           next_query_ms = case when held.payment_status = 'PENDING' then $5::bigint else o.next_query_ms end,
           timeline_seq = held.timeline_seq + 1, timeline_hash = ${hashSql("held.timeline_hash", "$4")}
         from held
         where o.biz_no = $1 and o.app_id = $2 and held.pay_tool_id = ''
         returning ${orderColumns("o")}, o.timeline_seq, o.timeline_hash, held.timeline_hash as previous_hash
       )`,
      events: appended("connected", "$4"),
      result: appendedOrHeld("connected"),
    }),
    replaceImported: appendingStatement("order_replace_imported", {
      changes: `${stored}, replaced as (
         update ${orders} o set ${REPLACED_COLUMNS.map((column, index) => `${column} = $${index + 3}`).join(", ")},
           timeline_seq = held.timeline_seq + 1,
           timeline_hash = ${hashSql("held.timeline_hash", REPLACED_ENTRY)}
         from held
         where o.biz_no = $1 and o.app_id = $2
           and not exists (select from ${timeline} where ${KEY} and type <> 'IMPORTED')
         returning ${orderColumns("o")}, o.timeline_seq, o.timeline_hash, held.timeline_hash as previous_hash
       )`,
      events: appended("replaced", REPLACED_ENTRY),
      result: appendedOrHeld("replaced"),
    }),
    lock: statement("order_lock", `select id from ${orders} where ${KEY} for update`),
    record: recording("order_record"),
    timeline: statement("order_timeline", timelineSql(tables, KEY)),
    claimQuery: statement(
      "order_claim_query",
      `update ${orders} set queried_ms = $3::bigint
       where ${KEY} and (queried_ms is null or queried_ms <= $3::bigint - $4::bigint) returning id`,
    ),
    claimDue: claimDueStatements({
      method: "order",
      table: orders,
      key: ["biz_no", "app_id"],
      column: "next_query_ms",
      open: `payment_status in ${DUE}`,
      columns: orderColumns("r"),
    }),
    dueSince: statement("order_due_since", dueWorkSql(orders, "next_query_ms", `payment_status in ${DUE}`)),
    schedule: statement(
      "order_schedule",
      `update ${orders} set next_query_ms = $3 where ${KEY} and payment_status in ${ASKABLE}`,
    ),
    scheduleShipment: statement(
      "order_schedule_shipment",
      `update ${orders} set next_query_ms = $3 where ${KEY} and payment_status = 'PAID'`,
    ),
    recordShipment: recording(
      "order_record_shipment",
      "next_query_ms = $6,",
      "before.payment_status = 'PAID'",
    ),
  };
}

/**
 * Returns SQL for one page with the count of all matching orders.
 *
 * A page past the end returns the count in a row without an order. The index alone finds the start
 * of the page, so PostgreSQL does not read the rows before it.
 */
function list(orders: string, form: StatementVariant): string {
  const { value } = form;
  const ofCustomer = ofCustomerSql(orders, form);
  return listed(
    form,
    `(select count(*) as total_count ${ofCustomer}) counted
     left join lateral (
       select created_ms, id ${ofCustomer} ${NEWEST_FIRST} offset ${value("skipped")} limit 1
     ) top on true
     left join lateral (
       select ${COLUMNS} ${ofCustomer} and (created_ms, id) <= (top.created_ms, top.id)
       ${NEWEST_FIRST} limit ${value("at_most")}
     ) page on true`,
  );
}

/**
 * Returns SQL like {@link list}, for the orders in one status.
 *
 * The index also contains the status, so the index alone finds the orders of the page. Then
 * PostgreSQL reads each order by its time and id.
 */
function listByStatus(orders: string, form: StatementVariant): string {
  const { value, isKey } = form;
  const ofCustomer = ofCustomerSql(orders, form);
  const inStatus = `${ofCustomer} and ${isKey("payment_status")}`;
  return listed(
    form,
    `(select count(*) as total_count ${inStatus}) counted
     left join lateral (
       select created_ms, id ${inStatus} ${NEWEST_FIRST} offset ${value("skipped")} limit ${value("at_most")}
     ) found on true
     left join lateral (
       select ${COLUMNS} ${ofCustomer} and created_ms = found.created_ms and id = found.id limit 1
     ) page on true`,
  );
}

function ofCustomerSql(orders: string, { isKey }: StatementVariant): string {
  return `from ${orders} where ${isKey("app_id", "customer_identity")}`;
}

function listed({ perCall }: StatementVariant, from: string): string {
  return `select * from (${perCall("counted.total_count, page.*", `from ${from}`)}) pages ${NEWEST_FIRST}`;
}
