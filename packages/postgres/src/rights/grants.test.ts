import { randomBytes } from "node:crypto";
import { expectOk } from "@tillkit/contract-tests";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../admin/migrate.js";
import { text } from "../sql/row.js";
import { statement } from "../sql/statement.js";
import { quoted } from "../sql/tables.js";
import { freshSchema, serverClient } from "../testing/databases.js";

/**
 * All rights of the database role of the hosts, by table.
 *
 * The role cannot remove orders, payments or entries of a log. It cannot change entries of a log,
 * but it can erase what a person wrote in a timeline.
 */
const RIGHTS = {
  alert_channels: "INSERT SELECT UPDATE",
  figures: "INSERT SELECT UPDATE",
  access_tokens: "INSERT SELECT UPDATE",
  readiness: "INSERT SELECT UPDATE",
  apps: "INSERT SELECT UPDATE",
  audit_log: "INSERT SELECT",
  auth_codes: "DELETE INSERT SELECT UPDATE",
  begun_changes: "DELETE INSERT SELECT UPDATE",
  bill_days: "INSERT SELECT UPDATE",
  bill_exceptions: "INSERT SELECT UPDATE",
  bill_runs: "DELETE INSERT SELECT UPDATE",
  kept_bill_lines: "DELETE INSERT SELECT UPDATE",
  bill_lines: "DELETE INSERT SELECT UPDATE",
  bill_settlements: "DELETE INSERT SELECT UPDATE",
  customer_orders: "DELETE INSERT SELECT",
  customers: "DELETE INSERT SELECT UPDATE",
  downloads: "DELETE INSERT SELECT UPDATE",
  downloads_clients: "INSERT SELECT UPDATE",
  event_deliveries: "DELETE INSERT SELECT UPDATE",
  event_handlers: "DELETE INSERT SELECT UPDATE",
  imported_order_ids: "DELETE INSERT SELECT",
  operator_sessions: "DELETE INSERT SELECT UPDATE",
  operators: "INSERT SELECT UPDATE",
  orders: "INSERT SELECT UPDATE",
  pay_tools: "INSERT SELECT UPDATE",
  quota_spacing: "DELETE INSERT SELECT UPDATE",
  quotas: "DELETE INSERT SELECT UPDATE",
  refund_approvals: "INSERT SELECT UPDATE",
  refunds: "INSERT SELECT UPDATE",
  schema_migrations: "SELECT",
  service_grants: "DELETE INSERT SELECT",
  service_types: "INSERT SELECT UPDATE",
  services: "INSERT SELECT UPDATE",
  session_owners: "DELETE INSERT SELECT UPDATE",
  sessions: "DELETE INSERT SELECT UPDATE",
  sign_in_attempts: "DELETE INSERT SELECT UPDATE",
  store_names: "INSERT SELECT UPDATE",
  timeline: "INSERT SELECT",
};

it("grantsSql gives the application exactly these rights, and gives no other role any right", async () => {
  const role = `till_app_${randomBytes(6).toString("hex")}`;
  const schema = freshSchema();
  const sql = serverClient({ max: 1 });
  onTestFinished(async () => {
    await sql.script(
      `drop owned by ${role} cascade; drop schema ${quoted(schema)} cascade; drop role ${role}`,
    );
    await sql.close();
  });
  await sql.script(`create role ${role}`);
  await expectOk(migrate({ sql, schema, application: role }));
  const granted = await sql.query(
    statement(
      "granted_rights",
      `select c.relname as of_table, coalesce(r.rolname, 'PUBLIC') as role, g.privilege_type as right
       from pg_class c cross join lateral aclexplode(c.relacl) g left join pg_roles r on r.oid = g.grantee
       where c.relnamespace = $1::text::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
         and g.grantee <> c.relowner
       order by c.relname, g.privilege_type`,
    ),
    [quoted(schema)],
  );
  const rights: Record<string, string> = {};
  for (const row of granted) {
    const table = text(row, "of_table");
    expect(text(row, "role")).toBe(role);
    rights[table] = [rights[table], text(row, "right")].filter((one) => one !== undefined).join(" ");
  }
  expect(rights).toEqual(RIGHTS);
  const columns = await sql.query(
    statement(
      "granted_column_rights",
      `select c.relname || '.' || a.attname || ' ' || coalesce(r.rolname, 'PUBLIC') || ' ' || g.privilege_type as right
       from pg_class c join pg_attribute a on a.attrelid = c.oid cross join lateral aclexplode(a.attacl) g
       left join pg_roles r on r.oid = g.grantee
       where c.relnamespace = $1::text::regnamespace order by 1`,
    ),
    [quoted(schema)],
  );
  // What a person wrote can be erased, together with its salt.
  expect(columns.map((row) => text(row, "right"))).toEqual([
    `timeline.reason ${role} UPDATE`,
    `timeline.reason_salt ${role} UPDATE`,
  ]);
  const [within] = await sql.query(
    statement(
      "rights_within",
      `select string_agg(privilege_type, ' ') as right from pg_namespace n cross join lateral aclexplode(n.nspacl) g
       where n.oid = $1::text::regnamespace and g.grantee <> n.nspowner`,
    ),
    [quoted(schema)],
  );
  expect(within).toEqual({ right: "USAGE" });
});
