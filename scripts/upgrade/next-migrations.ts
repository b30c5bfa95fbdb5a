import { createHash } from "node:crypto";
import { MIGRATIONS, type Migration } from "@tillkit/postgres";

/** The tables that the processes of a host read and write while they serve. */
const TABLES_IN_USE = [
  "apps",
  "pay_tools",
  "service_types",
  "orders",
  "timeline",
  "refunds",
  "services",
  "service_grants",
  "auth_codes",
  "customers",
  "session_owners",
  "sessions",
  "quotas",
  "quota_spacing",
] as const;

/**
 * Stands in for the migrations of the next release: additions that the previous release accepts.
 *
 * Every table in use receives columns, so each prepared statement of a running host meets a table
 * that has changed.
 */
const ADDITIONS: readonly Migration[] = [
  toMigration("9001-columns", TABLES_IN_USE.map(columnsOf).join("")),
  toMigration(
    "9002-index-and-table",
    `create index orders_next_release on orders (app_id, next_release_text, biz_no);
create table next_release (
  app_id text not null,
  biz_no text not null,
  note text not null default '',
  primary key (app_id, biz_no)
);
comment on table next_release is 'A table of the next release.';
`,
  ),
  toMigration(
    "9003-default-and-backfill",
    `alter table orders alter column next_release_text set default 'new';
alter table orders alter column next_release_count set default 2;
alter table orders alter column goods_title type varchar(4000);
alter table services alter column service_name type varchar(4000);
update orders set next_release_text = 'old';
insert into next_release (app_id, biz_no) select app_id, biz_no from orders;
`,
  ),
];

/** The migrations of the next release: those of the sources, and further ones. */
export const NEXT_MIGRATIONS: readonly Migration[] = [...MIGRATIONS, ...ADDITIONS];

/** The migrations of a release that contracts: it drops what the releases before it use. */
export const BREAKING_MIGRATIONS: readonly Migration[] = [
  ...NEXT_MIGRATIONS,
  toMigration(
    "9004-contract",
    "-- breaking: the release before uses the column.\nalter table orders drop column next_release_text;\n",
  ),
];

function columnsOf(table: string): string {
  return `alter table ${table} add column next_release_text text;
alter table ${table} add column next_release_count integer not null default 1;
`;
}

function toMigration(name: string, sql: string): Migration {
  const checksum = createHash("sha256").update(sql).digest("hex");
  const breaking = sql.startsWith("-- breaking");
  return { version: Number(name.slice(0, 4)), name, sql, checksum, breaking };
}
