/** The names of all tables of the schema. */
export const TABLE_NAMES = [
  "apps",
  "pay_tools",
  "service_types",
  "downloads_clients",
  "orders",
  "customer_orders",
  "imported_order_ids",
  "timeline",
  "refunds",
  "refund_approvals",
  "event_handlers",
  "event_deliveries",
  "bill_lines",
  "bill_settlements",
  "bill_exceptions",
  "bill_days",
  "bill_runs",
  "kept_bill_lines",
  "services",
  "service_grants",
  "auth_codes",
  "customers",
  "session_owners",
  "sessions",
  "quotas",
  "quota_spacing",
  "downloads",
  "store_names",
  "operators",
  "operator_sessions",
  "sign_in_attempts",
  "audit_log",
  "begun_changes",
  "alert_channels",
  "figures",
  "access_tokens",
  "readiness",
  "schema_migrations",
] as const;

/** The name of a table. */
export type TableName = (typeof TABLE_NAMES)[number];

/** The tables as qualified SQL names. */
export type Tables = Readonly<Record<TableName, string>>;

/**
 * Returns the tables of `schema`.
 *
 * Every name has its schema, so one pool can serve several schemas.
 */
export function tablesOf(schema: string): Tables {
  const name = (table: TableName): string => `${quoted(schema)}.${table}`;
  return {
    apps: name("apps"),
    pay_tools: name("pay_tools"),
    service_types: name("service_types"),
    downloads_clients: name("downloads_clients"),
    orders: name("orders"),
    customer_orders: name("customer_orders"),
    imported_order_ids: name("imported_order_ids"),
    timeline: name("timeline"),
    refunds: name("refunds"),
    refund_approvals: name("refund_approvals"),
    event_handlers: name("event_handlers"),
    event_deliveries: name("event_deliveries"),
    bill_lines: name("bill_lines"),
    bill_settlements: name("bill_settlements"),
    bill_exceptions: name("bill_exceptions"),
    bill_days: name("bill_days"),
    bill_runs: name("bill_runs"),
    kept_bill_lines: name("kept_bill_lines"),
    services: name("services"),
    service_grants: name("service_grants"),
    auth_codes: name("auth_codes"),
    customers: name("customers"),
    session_owners: name("session_owners"),
    sessions: name("sessions"),
    quotas: name("quotas"),
    quota_spacing: name("quota_spacing"),
    downloads: name("downloads"),
    store_names: name("store_names"),
    operators: name("operators"),
    operator_sessions: name("operator_sessions"),
    sign_in_attempts: name("sign_in_attempts"),
    audit_log: name("audit_log"),
    begun_changes: name("begun_changes"),
    alert_channels: name("alert_channels"),
    figures: name("figures"),
    access_tokens: name("access_tokens"),
    readiness: name("readiness"),
    schema_migrations: name("schema_migrations"),
  };
}

/** Quotes `identifier` for SQL. Throws if PostgreSQL would truncate it or cannot store it. */
export function quoted(identifier: string): string {
  const { length } = new TextEncoder().encode(identifier);
  if (length < 1 || length > 63 || identifier.includes("\u0000"))
    throw new RangeError("The name of a schema or role must have 1 to 63 bytes and no null character.");
  return `"${identifier.replaceAll('"', '""')}"`;
}
