import type { TableName } from "./tables.js";

/**
 * The distribution column of each table, for a distributed PostgreSQL such as Citus.
 *
 * The column is part of every key of the table. `null` marks a small table that each node has a
 * copy of, except `schema_migrations`, which stays a local table.
 */
export const DISTRIBUTION_COLUMNS = {
  apps: null,
  pay_tools: null,
  service_types: null,
  downloads_clients: null,
  orders: "biz_no",
  customer_orders: "customer_identity",
  timeline: "biz_no",
  refunds: "biz_no",
  bill_lines: "run_id",
  bill_settlements: "run_id",
  bill_exceptions: "id",
  services: "customer_identity",
  service_grants: "customer_identity",
  auth_codes: "phone_hash",
  customers: "phone_hash",
  session_owners: "customer_id",
  sessions: "customer_id",
  quotas: "subject",
  quota_spacing: "subject",
  downloads: "app_id",
  schema_migrations: null,
} as const satisfies Readonly<Record<TableName, string | null>>;
