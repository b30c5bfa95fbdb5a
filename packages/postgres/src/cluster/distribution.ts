import { TABLE_NAMES, type TableName } from "../sql/tables.js";

/**
 * The distribution column of each table, for a distributed PostgreSQL such as Citus.
 *
 * The column is part of every key of the table. `null` marks a small table: each node has a copy of
 * it, unless it is one of `LOCAL_TABLES`.
 */
export const DISTRIBUTION_COLUMNS = {
  apps: null,
  pay_tools: null,
  service_types: null,
  downloads_clients: null,
  orders: "biz_no",
  customer_orders: "customer_identity",
  imported_order_ids: "id",
  timeline: "biz_no",
  refunds: "biz_no",
  refund_approvals: "biz_no",
  event_handlers: null,
  event_deliveries: "biz_no",
  bill_lines: "run_id",
  bill_settlements: "run_id",
  bill_exceptions: "id",
  bill_days: null,
  bill_runs: null,
  kept_bill_lines: "run_id",
  services: "customer_identity",
  service_grants: "customer_identity",
  auth_codes: "phone_hash",
  customers: "phone_hash",
  session_owners: "customer_id",
  sessions: "customer_id",
  quotas: "subject",
  quota_spacing: "subject",
  downloads: "app_id",
  store_names: null,
  operators: null,
  operator_sessions: null,
  sign_in_attempts: null,
  audit_log: null,
  begun_changes: null,
  alert_channels: null,
  figures: null,
  access_tokens: null,
  readiness: null,
  schema_migrations: null,
} as const satisfies Readonly<Record<TableName, string | null>>;

/** Where a distributed PostgreSQL stores the rows of a table. */
export type Placement =
  | { readonly kind: "local" }
  | { readonly kind: "reference" }
  | { readonly kind: "distributed"; readonly column: string };

/**
 * The tables that stay on the coordinator.
 *
 * Only `migrate` writes `schema_migrations`. The readiness check writes `readiness`. That table is
 * on the coordinator alone, so that a host stays ready while another node is down.
 */
export const LOCAL_TABLES: readonly TableName[] = ["schema_migrations", "readiness"];

/**
 * Returns where a distributed PostgreSQL stores the rows of `table`.
 *
 * A reference table has a copy on every node.
 */
export function placementOf(table: TableName): Placement {
  if (LOCAL_TABLES.includes(table)) return { kind: "local" };
  const column: string | null = DISTRIBUTION_COLUMNS[table];
  return column === null ? { kind: "reference" } : { kind: "distributed", column };
}

/**
 * Returns the tables that are distributed by `column`.
 *
 * They form one colocation group: their rows with the same value of the column are on one node.
 */
export function colocationGroup(column: string): readonly TableName[] {
  return TABLE_NAMES.filter((table) => DISTRIBUTION_COLUMNS[table] === column);
}
