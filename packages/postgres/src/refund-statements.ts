import { dueWorkSql } from "./due-work.js";
import { type ClaimDueStatements, claimDueStatements } from "./claim-due.js";
import type { SqlStatement } from "./sql-client.js";
import { orderColumns } from "./order-row.js";
import { REFUND_COLUMNS, refundColumns } from "./refund-row.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";
import { appendSql, hashSql } from "./timeline-sql.js";

/** The statements of the refund store. `$1`, `$2` and `$3` are the order's key and the refund's number wherever there are these. */
export interface RefundStatements {
  /** `REFUND_COLUMNS`, entry. */
  readonly request: SqlStatement;
  readonly find: SqlStatement;
  /** Entry, instant, next try. */
  readonly markSent: SqlStatement;
  /** Entry, instant, the wallet's number, entry for the whole amount. */
  readonly confirm: SqlStatement;
  /** Entry, instant. */
  readonly reject: SqlStatement;
  readonly list: SqlStatement;
  /** Pay tools as a JSON array, from, until, time, key and number of the last of the page before, how many. */
  readonly listConfirmed: SqlStatement;
  readonly claimDue: ClaimDueStatements;
  readonly dueSince: SqlStatement;
  readonly schedule: SqlStatement;
}

/** A change of one refund, in the statuses it may start from. `set` may speak of the refund `r`, `order` of the order `o` and of `held`. */
interface Move {
  readonly from: string;
  readonly set: string;
  readonly order?: string;
  readonly seq?: string;
  readonly hash: string;
  /** More events than the first, each a CTE. */
  readonly more?: string;
}

const OPEN = "('REQUESTED', 'SENT')";
// A refund that had failed may be confirmed while another one is under way, which stays it.
const NO_LONGER_OPEN = "open_refund_no = nullif(o.open_refund_no, $3)";
const COLUMNS = orderColumns();
const FIRST_HASH = hashSql("held.timeline_hash", "$4");

/** The statements of the refund store over `tables`. */
export function refundStatements(tables: Tables): RefundStatements {
  const { orders, refunds } = tables;
  const key = "biz_no = $1 and app_id = $2 and refund_no = $3";
  const renamed = REFUND_COLUMNS.map((column) => `r_${column}`).join(", ");

  // The order's row is locked first, always, and says how its timeline ends: whoever changes a refund changes its order.
  const move = (verb: string, { from, set, order, seq, hash, more }: Move): SqlStatement =>
    statement(
      verb,
      `with held as (
         select ${orderColumns("o")}, o.timeline_seq, o.timeline_hash, ${refundColumns("r")},
           o.payment_status = 'PAID' and o.refunded_cents + r.amount_cents >= o.amount_cents as whole
         from ${orders} o join ${refunds} r on r.biz_no = o.biz_no and r.app_id = o.app_id
         where o.biz_no = $1 and o.app_id = $2 and r.biz_no = $1 and r.app_id = $2 and r.refund_no = $3
         for update
       ), refund as (
         update ${refunds} r set modified_ms = $5, ${set} from held
         where r.biz_no = $1 and r.app_id = $2 and r.refund_no = $3 and held.r_status in ${from}
         returning ${refundColumns("r")}, held.timeline_seq, held.timeline_hash, held.whole
       ), ordered as (
         update ${orders} o set ${order === undefined ? "" : `${order},`}
           timeline_seq = ${seq ?? "held.timeline_seq + 1"}, timeline_hash = ${hash}
         from refund held
         where o.biz_no = $1 and o.app_id = $2
         returning ${orderColumns("o")}, held.timeline_seq as previous_seq, held.timeline_hash as previous_hash, held.whole
       ), event as (
         ${appendSql(tables, { from: "ordered", entry: "$4", seq: "previous_seq + 1", previous: "previous_hash", hash: hashSql("previous_hash", "$4") })}
       ) ${more ?? ""}
       select true as changed, ${orderColumns("ordered")}, ${renamed} from ordered cross join refund
       union all
       select false, ${COLUMNS}, ${renamed} from held where not exists (select from refund)`,
    );

  return {
    request: statement(
      "refund_request",
      `with held as (
         select ${COLUMNS}, timeline_seq, timeline_hash, open_refund_no from ${orders}
         where biz_no = $1 and app_id = $2 for update
       ), refund as (
         insert into ${refunds} (${REFUND_COLUMNS.join(", ")})
         select ${REFUND_COLUMNS.map((column, index) => `$${index + 1}::${REFUND_TYPES.get(column) ?? "text"}`).join(", ")} from held
         where payment_status = 'PAID' and open_refund_no is null and refunded_cents + $4 <= amount_cents
         on conflict (biz_no, app_id, refund_no) do nothing
         returning refund_no
       ), ordered as (
         update ${orders} o set open_refund_no = $3, timeline_seq = held.timeline_seq + 1,
           timeline_hash = ${hashSql("held.timeline_hash", `$${REFUND_COLUMNS.length + 1}`)}
         from held cross join refund
         where o.biz_no = $1 and o.app_id = $2
         returning ${orderColumns("o")}, o.timeline_seq, o.timeline_hash, held.timeline_hash as previous_hash, o.open_refund_no
       ), event as (
         ${appendSql(tables, { from: "ordered", entry: `$${REFUND_COLUMNS.length + 1}`, seq: "timeline_seq", previous: "previous_hash", hash: "timeline_hash" })}
       )
       select 'requested' as kind, ${COLUMNS}, open_refund_no from ordered
       union all
       select case when payment_status <> 'PAID' then 'not-paid' when open_refund_no is not null then 'in-progress'
           when refunded_cents + $4 > amount_cents then 'exceeds-remaining' else 'held' end,
         ${COLUMNS}, open_refund_no
       from held where not exists (select from ordered)`,
    ),
    find: statement("refund_find", `select ${refundColumns("r")} from ${refunds} r where ${key}`),
    markSent: move("refund_mark_sent", {
      from: "('REQUESTED')",
      set: "status = 'SENT', next_try_ms = $6",
      hash: FIRST_HASH,
    }),
    confirm: move("refund_confirm", {
      from: "('REQUESTED', 'SENT', 'FAILED')",
      set: "status = 'CONFIRMED', next_try_ms = null, wallet_refund_no = coalesce($6, r.wallet_refund_no)",
      order: `${NO_LONGER_OPEN}, refunded_cents = o.refunded_cents + held.r_amount_cents, modified_ms = $5,
        payment_status = case when held.whole then 'REFUND' else o.payment_status end`,
      seq: "held.timeline_seq + case when held.whole then 2 else 1 end",
      hash: `case when held.whole then ${hashSql(FIRST_HASH, "$7")} else ${FIRST_HASH} end`,
      more: `, last_event as (
        ${appendSql(tables, {
          from: "ordered",
          where: "whole",
          entry: "$7",
          seq: "previous_seq + 2",
          previous: hashSql("previous_hash", "$4"),
          hash: hashSql(hashSql("previous_hash", "$4"), "$7"),
        })}
      )`,
    }),
    reject: move("refund_reject", {
      from: OPEN,
      set: "status = 'FAILED', next_try_ms = null",
      order: NO_LONGER_OPEN,
      hash: FIRST_HASH,
    }),
    list: statement(
      "refund_list",
      `select ${refundColumns("r")} from ${refunds} r where biz_no = $1 and app_id = $2 order by created_ms, refund_no`,
    ),
    listConfirmed: statement(
      "refund_list_confirmed",
      `select ${orderColumns("o")}, ${refundColumns("r")}
       from ${refunds} r join ${orders} o on o.biz_no = r.biz_no and o.app_id = r.app_id
       where r.status = 'CONFIRMED' and r.modified_ms >= $2 and r.modified_ms < $3 and (r.modified_ms, r.biz_no, r.app_id, r.refund_no) > ($4, $5, $6, $7)
         and o.pay_tool_id = any(array(select json_array_elements_text($1::text::json)))
       order by r.modified_ms, r.biz_no, r.app_id, r.refund_no limit $8`,
    ),
    claimDue: claimDueStatements({
      verb: "refund",
      table: refunds,
      key: ["biz_no", "app_id", "refund_no"],
      column: "next_try_ms",
      open: `status in ${OPEN}`,
      columns: refundColumns("r"),
    }),
    dueSince: statement("refund_due_since", dueWorkSql(refunds, "next_try_ms", `status in ${OPEN}`)),
    schedule: statement(
      "refund_schedule",
      `update ${refunds} set next_try_ms = $4 where ${key} and status in ${OPEN}`,
    ),
  };
}

const REFUND_TYPES = new Map(
  ["amount_cents", "next_try_ms", "created_ms", "modified_ms"].map((column) => [column, "bigint"]),
);
