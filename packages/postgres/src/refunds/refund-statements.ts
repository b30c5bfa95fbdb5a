import { hexSql } from "../sql/chained-hash.js";
import { OPEN_REFUND_STATUSES } from "@tillkit/core";
import { type AppendingStatement, appendingStatement } from "../timeline/appending-statement.js";
import { dueWorkSql } from "../timeline/due-work.js";
import { type ClaimDueStatements, claimDueStatements } from "../timeline/claim-due.js";
import type { SqlStatement } from "../sql/sql-client.js";
import { orderColumns } from "../orders/order-row.js";
import { REFUND_COLUMNS, refundColumns } from "./refund-row.js";
import { handlersSql } from "../timeline/handler-names.js";
import { makeDueSql } from "../timeline/make-due-sql.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";
import { appendSql, hashSql } from "../timeline/timeline-sql.js";
import { storedRecordColumns } from "./stored-record.js";

/**
 * The statements of the refund store.
 *
 * In statements on one refund `$1` and `$2` are the key of the order, and `$3` is the refund
 * number. The further placeholders are listed below.
 */
export interface RefundStatements {
  /** Placeholders: {@link REFUND_COLUMNS}, entry, last event that the caller has seen. */
  readonly request: SqlStatement;
  /**
   * Locks the order, and returns it with the outcome (`kind`) that a new refund would have.
   *
   * Placeholders: key of the order, amount, last event that the caller has seen.
   */
  readonly hold: SqlStatement;
  /** Inserts the refund unless its number exists. Placeholders: {@link REFUND_COLUMNS}. */
  readonly insert: SqlStatement;
  /**
   * Reserves the amount of a new refund at its locked order.
   *
   * Placeholders from `$4`: amount, `seq` and hash of the event.
   */
  readonly reserve: SqlStatement;
  /** Locks the order for an adoption, and returns it with the end of its timeline. */
  readonly lockOrder: SqlStatement;
  /**
   * Counts an adopted refund at its locked order.
   *
   * Placeholders from `$3`: amount, time, new status, `seq` and hash of the last event.
   */
  readonly count: SqlStatement;
  readonly find: SqlStatement;
  /** Placeholders from `$4`: entry, time, next try, end of the claim to send. */
  readonly markSent: AppendingStatement;
  /**
   * Changes an open refund if it still has the status and time that the caller has seen.
   *
   * Placeholders from `$4`: entry, time, next try, `walletRefundNo`, new status, seen status, seen
   * time, end of the claim to send.
   */
  readonly progress: AppendingStatement;
  /**
   * Placeholders from `$4`: entry, time, entry of a full refund, `walletRefundNo`, status before.
   */
  readonly confirm: AppendingStatement;
  /**
   * Placeholders from `$4`: entry, time, entry of a full refund, time of the query, last event that
   * the caller has seen.
   */
  readonly settle: AppendingStatement;
  /** Placeholders from `$4`: time, end of the claim to send. */
  readonly claimSend: SqlStatement;
  /** Placeholders from `$4`: entry, time, time of the query. */
  readonly withdraw: AppendingStatement;
  /** Placeholders from `$4`: entry, time, whether an accepted refund stays unchanged. */
  readonly reject: AppendingStatement;
  /**
   * The order, its refunds and its timeline, as JSON texts.
   *
   * The refunds have the columns of {@link refundColumns}.
   */
  readonly record: SqlStatement;
  readonly list: SqlStatement;
  /**
   * Returns one page of the confirmed refunds of some pay tools.
   *
   * Placeholders: pay tools as a JSON array, from, until, time, order key and refund number of the
   * last refund before the page, limit.
   */
  readonly listConfirmed: SqlStatement;
  readonly claimDue: ClaimDueStatements;
  readonly dueSince: SqlStatement;
  /** Placeholder: the limit of each status. */
  readonly openByStatus: SqlStatement;
  readonly schedule: SqlStatement;
}

/**
 * The SQL of a change of one refund.
 *
 * `when` and `set` can use the refund `r` and `held`. `order` can use the order `o` and `held`.
 */
interface Move {
  /** The condition under which the refund may change. */
  readonly when: string;
  readonly set: string;
  readonly order?: string;
  readonly seq?: string;
  readonly hash: string;
  /** The CTE `last_event`, which appends a further event. */
  readonly last?: string;
}

const OPEN = sqlList(OPEN_REFUND_STATUSES);
// Together with `wallet_refund_no is null`, this list is the rule `isSendable` of core.
const SENDABLE = sqlList(["REQUESTED", "SENT", "WAITING_FOR_FUNDS"]);
const UNDER_WAY = sqlList(["REQUESTED", "SENT"]);
const COLUMNS = orderColumns();
const ORDER_KEY = "biz_no = $1 and app_id = $2";
const FIRST_HASH = hashSql("held.timeline_hash", "$4");

/** Creates the statements of the refund store over `tables`. */
export function refundStatements(tables: Tables): RefundStatements {
  const { orders, refunds } = tables;
  const key = `${ORDER_KEY} and refund_no = $3`;
  const renamed = REFUND_COLUMNS.map((column) => `r_${column}`).join(", ");

  // The statement always locks the row of the order first, because every change of a refund changes
  // its order. The order also holds the end of the timeline. The reserved amount and the open
  // refunds follow from the status before (`was`) and after the change. The condition of `whole` is
  // `isRefundedInFull` of core.
  const move = (method: string, { when, set, order, seq, hash, last }: Move): AppendingStatement =>
    appendingStatement(method, {
      changes: `held as (
         select ${orderColumns("o")}, o.timeline_seq, ${hexSql("o.timeline_hash")} as timeline_hash, ${refundColumns("r")},
           o.payment_status = 'PAID' and o.refunded_cents + r.amount_cents >= o.amount_cents as whole,
           o.amount_cents - o.refunded_cents - o.reserved_cents
             + case when r.status in ${OPEN} then r.amount_cents else 0 end as remaining_cents
         from ${orders} o join ${refunds} r on r.biz_no = o.biz_no and r.app_id = o.app_id
         where o.biz_no = $1 and o.app_id = $2 and r.biz_no = $1 and r.app_id = $2 and r.refund_no = $3
         for update
       ), refund as (
         update ${refunds} r set modified_ms = $5, ${set} from held
         where r.biz_no = $1 and r.app_id = $2 and r.refund_no = $3 and ${when}
         returning ${refundColumns("r")}, held.r_status as was, held.timeline_seq, held.timeline_hash, held.whole,
           held.remaining_cents
       ), ordered as (
         update ${orders} o set ${order === undefined ? "" : `${order},`}
           reserved_cents = o.reserved_cents + held.r_amount_cents
             * ((held.r_status in ${OPEN})::int - (held.was in ${OPEN})::int),
           open_refund_nos = array_remove(o.open_refund_nos, $3)
             || case when held.r_status in ${UNDER_WAY} then array[$3]::text[] else '{}' end,
           timeline_seq = ${seq ?? "held.timeline_seq + 1"}, timeline_hash = ${hash}
         from refund held
         where o.biz_no = $1 and o.app_id = $2
         returning ${orderColumns("o")}, held.timeline_seq as previous_seq, held.timeline_hash as previous_hash, held.whole,
           o.timeline_seq
       )`,
      events: `event as (
         ${appendSql(tables, { from: "ordered", entry: "$4", seq: "previous_seq + 1", hash: hashSql("previous_hash", "$4") })}
       ), ${last === undefined ? makeDueSql(tables, "event") : `${last}, ${makeDueSql(tables, "event", "last_event")}`}`,
      result: `select true as changed, ${orderColumns("ordered")}, ${renamed}, remaining_cents,
         ordered.timeline_seq, previous_seq, previous_hash, ${handlersSql(tables)} as handlers
       from ordered cross join refund
       union all
       select false, ${COLUMNS}, ${renamed}, remaining_cents, timeline_seq, timeline_seq, timeline_hash, null
       from held where not exists (select from refund)`,
    });

  return {
    request: statement(
      "refund_request",
      `with held as (
         select ${COLUMNS}, timeline_seq, ${hexSql("timeline_hash")} as timeline_hash, open_refund_nos,
           amount_cents - refunded_cents - reserved_cents as remaining_cents
         from ${orders} where biz_no = $1 and app_id = $2 for update
       ), refund as (
         insert into ${refunds} (${REFUND_COLUMNS.join(", ")})
         select ${REFUND_COLUMNS.map((column, index) => `$${index + 1}::${REFUND_TYPES.get(column) ?? "text"}`).join(", ")} from held
         where ${isSeen(REFUND_COLUMNS.length + 2)} and payment_status = 'PAID' and coalesce(cardinality(open_refund_nos), 0) = 0 and $4 <= remaining_cents
         on conflict (biz_no, app_id, refund_no) do nothing
         returning refund_no
       ), ordered as (
         update ${orders} o set open_refund_nos = array[$3]::text[], reserved_cents = o.reserved_cents + $4,
           timeline_seq = held.timeline_seq + 1,
           timeline_hash = ${hashSql("held.timeline_hash", `$${REFUND_COLUMNS.length + 1}`)}
         from held cross join refund
         where o.biz_no = $1 and o.app_id = $2
         returning ${orderColumns("o")}, o.timeline_seq, o.timeline_hash, held.timeline_hash as previous_hash, o.open_refund_nos,
           held.remaining_cents
       ), event as (
         ${appendSql(tables, { from: "ordered", entry: `$${REFUND_COLUMNS.length + 1}`, seq: "timeline_seq", hash: "timeline_hash" })}
       ), ${makeDueSql(tables, "event")}
       select 'requested' as kind, ${COLUMNS}, open_refund_nos[1] as open_refund_no, remaining_cents from ordered
       union all
       select case when not ${isSeen(REFUND_COLUMNS.length + 2)} then 'changed'
           when payment_status <> 'PAID' then 'not-paid' when cardinality(open_refund_nos) > 0 then 'in-progress'
           when $4 > remaining_cents then 'exceeds-remaining' else 'held' end,
         ${COLUMNS}, open_refund_nos[1], remaining_cents
       from held where not exists (select from ordered)`,
    ),
    hold: statement(
      "refund_hold",
      `select ${COLUMNS}, timeline_seq, ${hexSql("timeline_hash")} as timeline_hash, open_refund_nos[1] as open_refund_no,
         amount_cents - refunded_cents - reserved_cents as remaining_cents,
         case when not ${isSeen(4)} then 'changed'
           when payment_status <> 'PAID' then 'not-paid' when cardinality(open_refund_nos) > 0 then 'in-progress'
           when $3::bigint > amount_cents - refunded_cents - reserved_cents then 'exceeds-remaining'
           else 'requested' end as kind,
         ${handlersSql(tables)} as handlers
       from ${orders} where biz_no = $1 and app_id = $2 for update`,
    ),
    insert: statement(
      "refund_insert",
      `insert into ${refunds} (${REFUND_COLUMNS.join(", ")})
       values (${REFUND_COLUMNS.map((_, index) => `$${index + 1}`).join(", ")})
       on conflict do nothing returning refund_no`,
    ),
    reserve: statement(
      "refund_reserve",
      `update ${orders} set open_refund_nos = array[$3::text], reserved_cents = reserved_cents + $4,
         timeline_seq = $5, timeline_hash = decode($6, 'hex')
       where biz_no = $1 and app_id = $2`,
    ),
    lockOrder: statement(
      "refund_lock_order",
      `select ${COLUMNS}, timeline_seq, ${hexSql("timeline_hash")} as timeline_hash, ${handlersSql(tables)} as handlers
       from ${orders} where biz_no = $1 and app_id = $2 for update`,
    ),
    count: statement(
      "refund_count",
      `update ${orders} set refunded_cents = refunded_cents + $3, modified_ms = $4, payment_status = $5,
         next_query_ms = case when $5 = 'REFUND' then null else next_query_ms end, timeline_seq = $6, timeline_hash = decode($7, 'hex')
       where biz_no = $1 and app_id = $2 returning ${COLUMNS}`,
    ),
    find: statement("refund_find", `select ${refundColumns("r")} from ${refunds} r where ${key}`),
    markSent: move("refund_mark_sent", {
      when: "held.r_status = 'REQUESTED'",
      set: "status = 'SENT', next_try_ms = $6, sending_until_ms = coalesce($7, r.sending_until_ms)",
      hash: FIRST_HASH,
    }),
    progress: move("refund_progress", {
      when: `held.r_status in ${OPEN} and held.r_status = $9 and held.r_modified_ms = $10`,
      set: `status = $8, next_try_ms = $6, wallet_refund_no = coalesce($7, r.wallet_refund_no),
        sending_until_ms = coalesce($11, r.sending_until_ms)`,
      hash: FIRST_HASH,
    }),
    confirm: move("refund_confirm", {
      when: `(held.r_status in ${OPEN} or held.r_status in ('FAILED', 'WITHDRAWN'))
        and ($8::text is null or held.r_status = $8)`,
      set: "status = 'CONFIRMED', next_try_ms = null, wallet_refund_no = coalesce($7, r.wallet_refund_no)",
      ...paidBack(tables),
    }),
    settle: move("refund_settle", {
      when: `(held.r_status in ('FAILED', 'WITHDRAWN')
          or (held.r_status in ${OPEN} and coalesce(held.r_sending_until_ms, 0) <= $7::bigint))
        and ${isSeen(8, "held.timeline_seq")} and held.r_amount_cents <= held.remaining_cents`,
      set: "status = 'SETTLED', next_try_ms = null",
      ...paidBack(tables),
    }),
    claimSend: statement(
      "refund_claim_send",
      `update ${refunds} r set sending_until_ms = $5
       where ${key} and status in ('SENT', 'WAITING_FOR_FUNDS') and wallet_refund_no is null
         and coalesce(r.sending_until_ms, 0) <= $4
       returning ${refundColumns("r")}`,
    ),
    withdraw: move("refund_withdraw", {
      when: `held.r_status in ${SENDABLE} and held.r_wallet_refund_no is null
        and coalesce(held.r_sending_until_ms, 0) <= $6`,
      set: "status = 'WITHDRAWN', next_try_ms = null",
      hash: FIRST_HASH,
    }),
    reject: move("refund_reject", {
      when: `held.r_status in ${OPEN}
        and (not $6::boolean or (held.r_status <> 'ABNORMAL' and held.r_wallet_refund_no is null))`,
      set: "status = 'FAILED', next_try_ms = null",
      hash: FIRST_HASH,
    }),
    record: statement(
      "refund_record",
      `select ${storedRecordColumns(tables, ORDER_KEY)}
       from ${orders} stored where ${ORDER_KEY}`,
    ),
    list: statement(
      "refund_list",
      `select ${refundColumns("r")} from ${refunds} r where ${ORDER_KEY} order by created_ms, refund_no`,
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
      method: "refund",
      table: refunds,
      key: ["biz_no", "app_id", "refund_no"],
      column: "next_try_ms",
      open: `status in ${OPEN}`,
      columns: refundColumns("r"),
    }),
    dueSince: statement("refund_due_since", dueWorkSql(refunds, "next_try_ms", `status in ${OPEN}`)),
    openByStatus: statement(
      "refund_open_by_status",
      OPEN_REFUND_STATUSES.map(
        (status) =>
          `select '${status}' as name, count(*) as count, min(created_ms) as oldest_ms from (
             select created_ms from ${refunds} where status = '${status}' order by created_ms limit $1
           ) open having count(*) > 0`,
      ).join(" union all "),
    ),
    schedule: statement(
      "refund_schedule",
      `update ${refunds} set next_try_ms = $4, wallet_refund_no = coalesce(wallet_refund_no, $5) where ${key} and status in ${OPEN}`,
    ),
  };
}

/**
 * Returns the change of the order when a refund is confirmed or settled.
 *
 * `$6` is the entry of a full refund.
 */
function paidBack(tables: Tables): Omit<Move, "when" | "set"> {
  return {
    order: `refunded_cents = o.refunded_cents + held.r_amount_cents, modified_ms = $5,
      payment_status = case when held.whole then 'REFUND' else o.payment_status end,
      next_query_ms = case when held.whole then null else o.next_query_ms end`,
    seq: "held.timeline_seq + case when held.whole then 2 else 1 end",
    hash: `case when held.whole then ${hashSql(hexSql(FIRST_HASH), "$6")} else ${FIRST_HASH} end`,
    last: `last_event as (
      ${appendSql(tables, {
        from: "ordered",
        where: "whole",
        entry: "$6",
        seq: "previous_seq + 2",
        hash: hashSql(hexSql(hashSql("previous_hash", "$4")), "$6"),
      })}
    )`,
  };
}

/** Returns SQL: the placeholder is null, or the timeline ends at the event with this number. */
function isSeen(place: number, last = "timeline_seq"): string {
  return `($${place}::bigint is null or ${last} = $${place})`;
}

function sqlList(words: readonly string[]): string {
  return `(${words.map((word) => `'${word}'`).join(", ")})`;
}

const REFUND_TYPES = new Map(
  ["amount_cents", "next_try_ms", "sending_until_ms", "created_ms", "modified_ms"].map((column) => [
    column,
    "bigint",
  ]),
);
