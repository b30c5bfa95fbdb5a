import { type RemovalStatements, removalStatements } from "../sql/remove-expired.js";
import { SESSION_COLUMNS } from "../sessions/open-session-evicting-oldest.js";
import { PHONE_COLUMNS } from "../sessions/session-statements.js";
import type { SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/** The statements that read and erase personal data. */
export interface CustomerDataStatements {
  /** The phone numbers of customers. Placeholders: app, hashes and customers as array literals. */
  readonly phones: SqlStatement;
  /** Placeholders: app, hashes as an array literal. */
  readonly codes: SqlStatement;
  /** Placeholder: hashes as an array literal. */
  readonly counters: SqlStatement;
  /** Placeholder: hashes as an array literal. */
  readonly spacings: SqlStatement;
  /** Newest first. Placeholders: app, customers as an array literal. */
  readonly sessions: SqlStatement;
  /** Placeholders: phone hash, app, customers as an array literal. */
  readonly removePhone: SqlStatement;
  /** Placeholders: phone hash, app. */
  readonly removeCode: SqlStatement;
  /** Placeholder: phone hash. */
  readonly removeSpacings: SqlStatement;
  /** Placeholder: phone hash. */
  readonly removeCounters: SqlStatement;
  /**
   * Locks a customer who has logged in before, and marks the customer, so that no session opens.
   *
   * Placeholders: customer, app, time.
   */
  readonly markOwner: SqlStatement;
  /** Like `markOwner`, for a customer who has not logged in yet. */
  readonly insertMarkedOwner: SqlStatement;
  /** Removes a mark that `insertMarkedOwner` inserted. Placeholders: customer, app. */
  readonly removeOwner: SqlStatement;
  /** Placeholders: customer, app. */
  readonly removeSessions: SqlStatement;
  /** The deliveries of an order. Placeholders: key of the order. */
  readonly deliveries: SqlStatement;
  /** Placeholders: key of the order. */
  readonly eraseOrder: SqlStatement;
  /** Placeholders: key of the order. */
  readonly eraseRefunds: SqlStatement;
  /** Placeholders: key of the order. */
  readonly eraseApprovals: SqlStatement;
  /** Placeholders: key of the order. */
  readonly eraseEvents: SqlStatement;
  readonly forgetNames: RemovalStatements;
}

/** Creates the statements over `tables`. */
export function customerDataStatements(tables: Tables): CustomerDataStatements {
  const { auth_codes: codes, customers, event_deliveries: deliveries, orders } = tables;
  const { quotas, quota_spacing: spacings, refund_approvals: approvals, refunds } = tables;
  const { session_owners: owners, sessions, timeline } = tables;
  const ofPhone = "phone_hash = $1 and app_id = $2";
  const ofSubject = "subject = $1 and scope = 'sms'";
  const ofSubjects = "subject = any($1::text[]) and scope = 'sms'";
  const ofOrder = "biz_no = $1 and app_id = $2";
  const ofCustomer = "customer_id = $1 and app_id = $2";
  // A repeated erasure keeps the time of the first erasure. The update still locks the row.
  const marked =
    "opened_ms = case when held.erased_ms is null then $3 else held.opened_ms end, erased_ms = coalesce(held.erased_ms, $3)";
  return {
    phones: statement(
      "customer_data_phones",
      `select ${PHONE_COLUMNS} from ${customers}
       where app_id = $1 and phone_hash = any($2::text[])
       union
       select ${PHONE_COLUMNS} from ${customers}
       where app_id = $1 and customer_id = any($3::text[])`,
    ),
    codes: statement(
      "customer_data_codes",
      `select phone_hash, cardinality(code_hashes) as count, tries, day_tries, ends_ms from ${codes} where app_id = $1 and phone_hash = any($2::text[])`,
    ),
    counters: statement(
      "customer_data_counters",
      `select subject, scope, day, used from ${quotas} where ${ofSubjects}`,
    ),
    spacings: statement(
      "customer_data_spacings",
      `select subject, scope, granted_ms from ${spacings} where ${ofSubjects}`,
    ),
    sessions: statement(
      "customer_data_sessions",
      `select ${SESSION_COLUMNS.join(", ")} from ${sessions} where app_id = $1 and customer_id = any($2::text[])`,
    ),
    removePhone: statement(
      "customer_remove_phone",
      `delete from ${customers} where ${ofPhone} and customer_id = any($3::text[]) returning customer_id`,
    ),
    removeCode: statement("code_remove", `delete from ${codes} where ${ofPhone} returning app_id`),
    removeSpacings: statement("quota_remove_spacings_of", `delete from ${spacings} where ${ofSubject}`),
    removeCounters: statement("quota_remove_of", `delete from ${quotas} where ${ofSubject} returning day`),
    markOwner: statement(
      "session_mark_owner",
      `update ${owners} as held set ${marked} where ${ofCustomer} returning app_id`,
    ),
    insertMarkedOwner: statement(
      "session_insert_marked_owner",
      `insert into ${owners} as held (customer_id, app_id, opened_ms, erased_ms) values ($1, $2, $3, $3)
       on conflict (customer_id, app_id) do update set ${marked}`,
    ),
    removeOwner: statement("session_remove_owner", `delete from ${owners} where ${ofCustomer}`),
    removeSessions: statement(
      "session_remove_of",
      `delete from ${sessions} where ${ofCustomer} returning token_hash`,
    ),
    deliveries: statement(
      "event_delivery_of_order",
      `select due_ms, parked_ms from ${deliveries} where ${ofOrder}`,
    ),
    eraseOrder: statement(
      "order_erase",
      `update ${orders} set customer_name = null, attach_data = null, payer_id = null, wallet_options = null where ${ofOrder}`,
    ),
    eraseRefunds: statement(
      "refund_erase",
      `update ${refunds} set reason = '' where ${ofOrder} and reason <> ''`,
    ),
    eraseApprovals: statement(
      "refund_approval_erase",
      `update ${approvals} set reason = '', note = case when note is null then null else '' end where ${ofOrder}`,
    ),
    eraseEvents: statement(
      "timeline_erase",
      `update ${timeline} set reason = '', reason_salt = null where ${ofOrder} and reason_salt is not null`,
    ),
    forgetNames: removalStatements({
      method: "order_forget_names",
      table: orders,
      key: ["biz_no", "app_id"],
      column: "created_ms",
      removable: "customer_name is not null",
      set: "customer_name = null",
    }),
  };
}
