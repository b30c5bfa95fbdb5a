import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { EXPECTED_SCHEMA } from "./expected-schema.js";

const page = await readFile(new URL("../../../../docs/internals/personal-data.md", import.meta.url), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("|"));

/** The columns that the page describes one by one. */
const personal = rows.flatMap((row) => /^\| `(\w+\.\w+)` /.exec(row)?.[1] ?? []);
/** The columns without personal data, by table. */
const OTHERS = {
  access_tokens: "pay_tool_id token_id token expires_ms claim_id claimed_until_ms",
  figures: "name reading read_ms claim_id claimed_until_ms",
  alert_channels: "name state due_ms claim_id claimed_until_ms",
  apps: "app_id name account_based check_email check_phone check_card disabled secrets created_ms modified_ms check_identity_card check_wallet_account check_biz_no",
  audit_log: "seq at_ms action outcome app_id trace_id previous_hash hash change_id change_digest",
  auth_codes: "app_id ends_ms tries codes_expire_ms tries_before day_tries day_ends_ms",
  begun_changes: "change_id digest lease_ms",
  bill_days: "day pay_channel app_env account_id matched fees_cents as_of_ms",
  bill_exceptions:
    "id pay_channel app_env account_id day kind out_trade_no refund_no wallet_trade_no amount_there_cents amount_here_cents status_here app_id biz_no state as_of_ms created_ms modified_ms detail opened_ms remedy",
  bill_lines: "run_id kind out_trade_no refund_no amount_cents state wallet_trade_no staged_ms",
  bill_runs:
    "run_id day pay_channel app_env account_id as_of_ms state changed_ms lines unreadable fees_cents opening_cents closing_cents",
  kept_bill_lines:
    "run_id position app_id biz_no kind out_trade_no refund_no amount_cents state wallet_trade_no settlement_no received_cents fee_cents",
  bill_settlements:
    "run_id settlement_no stated_lines open_lines stated_received_cents stated_fee_cents moved_lines moved_received_cents moved_fee_cents out_trade_no refund_no staged_ms",
  customer_orders: "app_id created_ms id biz_no",
  customers: "app_id created_ms",
  downloads: "app_id store day new_downloads update_downloads",
  downloads_clients: "client_id app_id daily_limit created_ms ends_ms",
  store_names: "name store",
  event_deliveries:
    "biz_no app_id handler next_seq next_index last_seq last_ms tries due_ms claim_id parked_ms",
  event_handlers: "name registered_ms",
  imported_order_ids: "id biz_no app_id",
  operator_sessions: "token_hash csrf_hash complete created_ms expires_ms seen_ms",
  operators:
    "role apps password_hash must_change_password totp_secret totp_last_step disabled created_ms modified_ms grants disabled_ms",
  orders:
    "biz_no app_id id amount_cents pay_channel pay_source payment_status service_no service_type_no service_name service_duration_ms source_from pay_tool_id notify_url expires_ms prepayment_issued_ms prepayment_valid_until_ms claim_id claim_until_ms paid_ms refunded_cents next_query_ms queried_ms created_ms modified_ms timeline_seq timeline_hash reserved_cents open_refund_nos return_url notifications_url",
  pay_tools:
    "id app_id pay_channel account_id wallet_app_id app_env sign_status app_name app_package_name app_signature credentials is_current created_ms modified_ms wallet_options",
  quota_spacing: "scope granted_ms",
  quotas: "scope day used",
  refund_approvals: "biz_no app_id refund_no id amount_cents requested_ms state decided_ms due_ms failure",
  refunds:
    "biz_no app_id refund_no amount_cents status wallet_refund_no next_try_ms sending_until_ms created_ms modified_ms",
  readiness: "name written_ms",
  schema_migrations: "version name checksum breaking applied_at",
  service_grants: "app_id service_type_no order_id seq granted_ms duration_ms",
  service_types: "app_id service_type_no service_name duration_ms created_ms retired_ms",
  services: "app_id service_type_no service_no service_name expire_ms grants_made created_ms",
  session_owners: "app_id opened_ms erased_ms",
  sessions: "app_id created_ms expires_ms",
  sign_in_attempts: "attempts_ms last_ms",
  timeline:
    "biz_no app_id seq type at_ms from_status to_status evidence alarm hash refund_no evidence_sha256",
};
const others = Object.entries(OTHERS).flatMap(([table, columns]) =>
  columns.split(" ").map((column) => `${table}.${column}`),
);

it("personal-data.md and this test classify each column of the schema once, as personal or not", () => {
  const columns = Object.entries(EXPECTED_SCHEMA).flatMap(([table, { columns: of }]) =>
    Object.keys(of).map((column) => `${table}.${column}`),
  );
  expect([...personal, ...others].toSorted()).toEqual(columns.toSorted());
});

it("personal-data.md describes what an export and an erasure do with each personal column", () => {
  for (const row of rows.filter((one) => /^\| `\w+\.\w+` /.test(one)))
    expect(row.split("|").filter((cell) => cell.trim() !== "")).toHaveLength(5);
  expect(personal).toEqual(
    expect.arrayContaining(["orders.customer_name", "orders.attach_data", "customers.phone_hash"]),
  );
});
