import { quoted, TABLE_NAMES, type TableName, tablesOf } from "../sql/tables.js";

/**
 * The privileges that the statements of the application need on each table.
 *
 * The application cannot delete timeline events. To erase what a person wrote, it can update their
 * columns `reason` and `reason_salt`, but no other column. It can neither update nor delete entries
 * of the audit log. On Citus, `INSERT … ON CONFLICT DO NOTHING` into a reference table needs the
 * privilege `update`, although it updates nothing.
 */
export const PRIVILEGES: Readonly<Record<TableName, string>> = {
  apps: "select, insert, update",
  pay_tools: "select, insert, update",
  service_types: "select, insert, update",
  downloads_clients: "select, insert, update",
  orders: "select, insert, update",
  customer_orders: "select, insert, delete",
  imported_order_ids: "select, insert, delete",
  timeline: "select, insert, update (reason), update (reason_salt)",
  refunds: "select, insert, update",
  refund_approvals: "select, insert, update",
  event_handlers: "select, insert, update, delete",
  event_deliveries: "select, insert, update, delete",
  bill_lines: "select, insert, update, delete",
  bill_settlements: "select, insert, update, delete",
  bill_exceptions: "select, insert, update",
  bill_days: "select, insert, update",
  bill_runs: "select, insert, update, delete",
  kept_bill_lines: "select, insert, update, delete",
  services: "select, insert, update",
  service_grants: "select, insert, delete",
  auth_codes: "select, insert, update, delete",
  customers: "select, insert, update, delete",
  session_owners: "select, insert, update, delete",
  sessions: "select, insert, update, delete",
  quotas: "select, insert, update, delete",
  quota_spacing: "select, insert, update, delete",
  downloads: "select, insert, update, delete",
  store_names: "select, insert, update",
  operators: "select, insert, update",
  operator_sessions: "select, insert, update, delete",
  sign_in_attempts: "select, insert, update, delete",
  audit_log: "select, insert",
  begun_changes: "select, insert, update, delete",
  alert_channels: "select, insert, update",
  figures: "select, insert, update",
  access_tokens: "select, insert, update",
  readiness: "select, insert, update",
  schema_migrations: "select",
};

/**
 * Returns SQL that gives the role `application` exactly the privileges that the stores need.
 *
 * The role can read and write rows, but cannot change tables. The owner of the tables runs the SQL.
 *
 * @returns the SQL of one or more statements.
 * @example
 * ```ts
 * import { grantsSql } from "@tillkit/postgres";
 *
 * const script = grantsSql("tillkit", "tillkit_app");
 * ```
 */
export function grantsSql(schema: string, application: string): string {
  const role = quoted(application);
  const within = quoted(schema);
  const tables = tablesOf(schema);
  const grants = TABLE_NAMES.map((table) => `grant ${PRIVILEGES[table]} on ${tables[table]} to ${role};`);
  return [
    `revoke all on all tables in schema ${within} from ${role};`,
    `revoke all on schema ${within} from ${role};`,
    `grant usage on schema ${within} to ${role};`,
    ...grants,
  ].join("\n");
}
