import { hexSql } from "../sql/chained-hash.js";
import { type ClaimDueStatements, claimDueStatements } from "../timeline/claim-due.js";
import { REFUND_APPROVAL_COLUMNS } from "./refund-approval-row.js";
import { EXCEPTION_COLUMNS } from "../bills/bill-exception-row.js";
import { storedRecordColumns } from "../refunds/stored-record.js";
import { handlersSql } from "../timeline/handler-names.js";
import type { SqlStatement } from "../sql/sql-client.js";
import { rowsAsJson } from "../sql/rows-as-json.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/**
 * The statements of the store of approvals.
 *
 * In statements on one approval `$1` and `$2` are the key of the order, and `$3` is the refund
 * number. The further placeholders are listed below.
 */
export interface RefundApprovalStatements {
  /** Inserts the approval unless its number exists. Placeholders: the columns of an approval. */
  readonly insert: SqlStatement;
  readonly find: SqlStatement;
  /** Placeholder: id. */
  readonly findById: SqlStatement;
  /** Placeholders: key of the order. */
  readonly listOfOrder: SqlStatement;
  /**
   * Returns the order with its refunds, its timeline, its approvals and its open exceptions.
   *
   * Placeholders: key of the order, limit of the exceptions.
   */
  readonly refundFacts: SqlStatement;
  /**
   * Like `refundFacts`, without the exceptions: a cluster distributes them by another column.
   *
   * Placeholders: key of the order.
   */
  readonly refundFactsOnCluster: SqlStatement;
  /** Placeholders: id of the order, limit. */
  readonly openExceptions: SqlStatement;
  /**
   * Locks the order, and returns the end of its timeline. Placeholders: key of the order.
   */
  readonly lockOrder: SqlStatement;
  /** Moves the end of the timeline. Placeholders: key of the order, `seq` and hash of the event. */
  readonly moveTimeline: SqlStatement;
  /** Locks all accounts against changes, and returns their grants. */
  readonly lockGrants: SqlStatement;
  /** Placeholders from `$4`: operator, state, note, time, next try. */
  readonly decide: SqlStatement;
  /**
   * Placeholders: states, time and id of the last approval before the page, limit, apps, operator
   * who requested it, whether to return only approvals whose refund was not made.
   */
  readonly list: SqlStatement;
  /** Like `list`, if the only state is WAITING. */
  readonly listWaiting: SqlStatement;
  /** Placeholders: limit, apps. */
  readonly countWaiting: SqlStatement;
  readonly claimDue: ClaimDueStatements;
  /** Placeholder `$4`: next try. */
  readonly schedule: SqlStatement;
  /** Placeholder `$4`: failure. */
  readonly end: SqlStatement;
}

/** Creates the statements of the store of approvals over `tables`. */
export function refundApprovalStatements(tables: Tables): RefundApprovalStatements {
  const { refund_approvals: approvals, operators, orders } = tables;
  const columns = REFUND_APPROVAL_COLUMNS.join(", ");
  const ofOrder = "biz_no = $1 and app_id = $2";
  const key = `${ofOrder} and refund_no = $3`;
  const visible = (place: number) => `($${place}::text[] is null or app_id = any ($${place}::text[]))`;
  const listOfOrder = `select ${columns} from ${approvals} where ${ofOrder} order by requested_ms, refund_no`;
  const factsOfOrder = `${storedRecordColumns(tables, ofOrder)}, ${rowsAsJson("approvals", listOfOrder)}`;
  const exceptions = (order: string, limit: string) =>
    `select ${EXCEPTION_COLUMNS.join(", ")} from ${tables.bill_exceptions}
     where out_trade_no = ${order} and state = 'OPEN' order by created_ms desc, id desc limit ${limit}`;
  // The literal state in the condition of `listWaiting` lets this statement use its own index.
  const list = (method: string, inState: string): SqlStatement =>
    statement(
      method,
      `select ${columns} from ${approvals}
       where ${inState} and (requested_ms, id) < ($2, $3) and ${visible(5)}
         and ($6::text is null or requester_key = $6) and (not $7::boolean or failure is not null)
       order by requested_ms desc, id desc limit $4`,
    );
  return {
    insert: statement(
      "refund_approval_insert",
      `insert into ${approvals} (${columns})
       values (${REFUND_APPROVAL_COLUMNS.map((_, index) => `$${index + 1}`).join(", ")})
       on conflict do nothing returning ${columns}`,
    ),
    find: statement("refund_approval_find", `select ${columns} from ${approvals} where ${key}`),
    findById: statement("refund_approval_find_by_id", `select ${columns} from ${approvals} where id = $1`),
    listOfOrder: statement("refund_approval_list_of_order", listOfOrder),
    refundFacts: statement(
      "refund_facts",
      `select ${factsOfOrder}, ${rowsAsJson("exceptions", exceptions("stored.id", "$3"))}
       from ${orders} stored where ${ofOrder}`,
    ),
    refundFactsOnCluster: statement(
      "refund_facts_on_cluster",
      `select ${factsOfOrder} from ${orders} stored where ${ofOrder}`,
    ),
    openExceptions: statement("refund_facts_exceptions", exceptions("$1", "$2")),
    lockOrder: statement(
      "refund_approval_lock_order",
      `select timeline_seq, ${hexSql("timeline_hash")} as timeline_hash, ${handlersSql(tables)} as handlers
       from ${orders} where ${ofOrder} for update`,
    ),
    moveTimeline: statement(
      "refund_approval_move_timeline",
      `update ${orders} set timeline_seq = $3, timeline_hash = decode($4, 'hex') where ${ofOrder}`,
    ),
    // Not `for share`: on a cluster, two transactions that share the lock deadlock.
    lockGrants: statement(
      "refund_approval_lock_grants",
      `select name, grants from ${operators} order by name for update`,
    ),
    decide: statement(
      "refund_approval_decide",
      `update ${approvals} set decided_by = $4, state = $5, note = $6, decided_ms = $7, due_ms = $8
       where ${key} returning ${columns}`,
    ),
    list: list("refund_approval_list", "state = any ($1::text[])"),
    listWaiting: list("refund_approval_list_waiting", "state = 'WAITING' and state = any ($1::text[])"),
    countWaiting: statement(
      "refund_approval_count_waiting",
      `select count(*) as waiting from (
         select 1 from ${approvals} where state = 'WAITING' and ${visible(2)} limit $1
       ) waiting`,
    ),
    claimDue: claimDueStatements({
      method: "refund_approval",
      table: approvals,
      key: ["biz_no", "app_id", "refund_no"],
      column: "due_ms",
      open: "state = 'APPROVED'",
      columns: REFUND_APPROVAL_COLUMNS.map((column) => `r.${column}`).join(", "),
    }),
    schedule: statement(
      "refund_approval_schedule",
      `update ${approvals} set due_ms = $4, failure = null
       where ${key} and state = 'APPROVED' and (due_ms is not null or failure is not null)`,
    ),
    end: statement(
      "refund_approval_end",
      `update ${approvals} set due_ms = null, failure = $4 where ${key} and state = 'APPROVED'`,
    ),
  };
}
