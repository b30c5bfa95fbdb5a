import { type ClaimDueStatements, claimDueStatements } from "./claim-due.js";
import { REFUND_APPROVAL_COLUMNS } from "./refund-approval-row.js";
import type { SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { Tables } from "./tables.js";

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
  /** Locks the approval. */
  readonly lock: SqlStatement;
  /** Locks all accounts against changes, and returns their grants. */
  readonly lockGrants: SqlStatement;
  /** Placeholders from `$4`: operator, state, note, time, next try. */
  readonly decide: SqlStatement;
  /** Placeholders: state, time and id of the last approval before the page, limit, apps. */
  readonly list: SqlStatement;
  /** Placeholders: limit, apps. */
  readonly countWaiting: SqlStatement;
  readonly claimDue: ClaimDueStatements;
  /** Placeholder `$4`: next try. */
  readonly schedule: SqlStatement;
  /** Placeholder `$4`: failure. */
  readonly end: SqlStatement;
}

/** Creates the statements of the store of approvals over `tables`. */
export function refundApprovalStatements({
  refund_approvals: approvals,
  operators,
}: Pick<Tables, "refund_approvals" | "operators">): RefundApprovalStatements {
  const columns = REFUND_APPROVAL_COLUMNS.join(", ");
  const ofOrder = "biz_no = $1 and app_id = $2";
  const key = `${ofOrder} and refund_no = $3`;
  const visible = (place: number) => `($${place}::text[] is null or app_id = any ($${place}::text[]))`;
  return {
    insert: statement(
      "refund_approval_insert",
      `insert into ${approvals} (${columns})
       values (${REFUND_APPROVAL_COLUMNS.map((_, index) => `$${index + 1}`).join(", ")})
       on conflict do nothing returning ${columns}`,
    ),
    find: statement("refund_approval_find", `select ${columns} from ${approvals} where ${key}`),
    findById: statement("refund_approval_find_by_id", `select ${columns} from ${approvals} where id = $1`),
    listOfOrder: statement(
      "refund_approval_list_of_order",
      `select ${columns} from ${approvals} where ${ofOrder} order by requested_ms, refund_no`,
    ),
    lock: statement("refund_approval_lock", `select ${columns} from ${approvals} where ${key} for update`),
    lockGrants: statement(
      "refund_approval_lock_grants",
      `select name, grants from ${operators} order by name for share`,
    ),
    decide: statement(
      "refund_approval_decide",
      `update ${approvals} set decided_by = $4, state = $5, note = $6, decided_ms = $7, due_ms = $8
       where ${key} returning ${columns}`,
    ),
    list: statement(
      "refund_approval_list",
      `select ${columns} from ${approvals}
       where state = $1 and (requested_ms, id) < ($2, $3) and ${visible(5)}
       order by requested_ms desc, id desc limit $4`,
    ),
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
      `update ${approvals} set due_ms = $4 where ${key} and state = 'APPROVED' and due_ms is not null`,
    ),
    end: statement(
      "refund_approval_end",
      `update ${approvals} set due_ms = null, failure = $4 where ${key} and state = 'APPROVED'`,
    ),
  };
}
