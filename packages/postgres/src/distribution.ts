import type { TableName } from "./tables.js";

/**
 * The column each table is spread by over the nodes of a distributed PostgreSQL, in every key of it; `null` for a small table that every node has a copy of.
 * `schema_migrations` stays where it is.
 */
export const DISTRIBUTION_COLUMNS = {
  apps: null,
  pay_tools: null,
  service_types: null,
  downloads_clients: null,
  orders: "biz_no",
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
