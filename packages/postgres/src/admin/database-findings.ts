import { arrayLiteral } from "../sql/array-literal.js";
import { text } from "../sql/row.js";
import type { SchemaFinding, SchemaFindingKind } from "../rights/schema-finding.js";
import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted, TABLE_NAMES } from "../sql/tables.js";

/**
 * Settings that weaken a guarantee of Tillkit or change the meaning of its statements.
 *
 * `pgClient` corrects some of them on its own connections. Other connections keep these values.
 */
const HARMFUL_SETTINGS: Readonly<Record<string, readonly [value: string, consequence: string]>> = {
  synchronous_commit: ["off", "the server confirms payments that a crash can lose"],
  default_transaction_read_only: ["on", "no order can be stored"],
  session_replication_role: ["replica", "the server does not check references between tables"],
  standard_conforming_strings: ["off", "texts with a backslash change"],
  transform_null_equals: ["on", "comparisons with null change their result"],
  array_nulls: ["off", "null in a list becomes text"],
};

/**
 * Returns why the database cannot store the data of Tillkit, or cannot give its guarantees.
 *
 * Checks the encoding, the durability, and the settings of the database and of the role
 * `application`. Also checks what other programs have added to the tables of `schema`: rules,
 * triggers, row level security and rights for every role. Works before the first migration.
 */
export async function databaseFindings(
  sql: SqlQueries,
  schema: string,
  application?: string,
): Promise<readonly SchemaFinding[]> {
  const harmful = Object.entries(HARMFUL_SETTINGS).map(([name, [value]]) => `${name}=${value}`);
  const rows = await sql.query(UNSUITABLE, [
    schema,
    arrayLiteral(TABLE_NAMES),
    arrayLiteral(harmful),
    application ?? null,
  ]);
  return rows.map((row) => findingOf(schema, text(row, "kind"), text(row, "subject"), text(row, "detail")));
}

function findingOf(schema: string, found: string, subject: string, detail: string): SchemaFinding {
  const table = `${quoted(schema)}.${quoted(subject)}`;
  const finding = (kind: SchemaFindingKind, message: string, fix: string): SchemaFinding => ({
    kind,
    subject,
    message,
    fix,
  });
  switch (found) {
    case "encoding":
      return finding(
        "wrong-encoding",
        `The database has the encoding ${detail}: texts in other scripts cannot be stored, and timelines look forged.`,
        "Create a database with: create database … encoding 'UTF8' template template0; and migrate there.",
      );
    case "setting":
      return finding(
        "harmful-setting",
        `The setting ${subject} is ${detail}: ${consequenceOf(subject)}.`,
        `Remove it where it is set: alter system reset ${subject}; alter database … reset ${subject}; alter role … reset ${subject};`,
      );
    case "role-setting":
      return finding(
        "harmful-setting",
        `New connections of the hosts get ${detail}: ${consequenceOf(detail.split("=")[0] ?? "")}.`,
        `Run: alter ${subject} reset ${detail.split("=")[0] ?? ""};`,
      );
    case "unlogged":
      return finding(
        "unlogged-table",
        `The table ${subject} is unlogged: a crash of the server empties it.`,
        `Run: alter table ${table} set logged;`,
      );
    case "security":
      return finding(
        "row-security",
        `The table ${subject} has row level security: statements see and change only a part of its rows.`,
        `Run: alter table ${table} disable row level security, no force row level security;`,
      );
    case "rule":
    case "trigger":
      return finding(
        `foreign-${found}`,
        `The table ${subject} has the ${found} ${detail}, which can change or lose what Tillkit stores.`,
        `Find out who uses it. Then run: alter table ${table} disable ${found} ${quoted(detail)};`,
      );
    default:
      return finding(
        "public-grant",
        `Every role may ${detail} on ${subject === schema ? "the schema" : subject}.`,
        `Run: revoke ${detail} on ${subject === schema ? `schema ${quoted(schema)}` : table} from public;`,
      );
  }
}

function consequenceOf(name: string): string {
  return HARMFUL_SETTINGS[name]?.[1] ?? "statements change their meaning";
}

const UNSUITABLE = statement(
  "database_unsuitable",
  `with tables as (
     select c.oid, c.relname::text as name, c.relpersistence, c.relrowsecurity, c.relacl
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1::text and c.relkind in ('r', 'p') and c.relname::text = any ($2::text[])
   )
   select 'encoding' as kind, 'database' as subject, pg_catalog.getdatabaseencoding()::text as detail
   where pg_catalog.getdatabaseencoding()::text <> 'UTF8'
   union all
   select 'setting', s.name, s.setting from pg_catalog.pg_settings s
   where s.name || '=' || s.setting = any ($3::text[])
   union all
   select 'role-setting',
     pg_catalog.btrim(case when r.rolname is null then '' else 'role ' || pg_catalog.quote_ident(r.rolname) || ' ' end
       || case when d.datname is null then '' when r.rolname is null then 'database ' || pg_catalog.quote_ident(d.datname)
          else 'in database ' || pg_catalog.quote_ident(d.datname) end),
     setting
   from pg_catalog.pg_db_role_setting g
   cross join pg_catalog.unnest(g.setconfig) setting
   left join pg_catalog.pg_roles r on r.oid = g.setrole
   left join pg_catalog.pg_database d on d.oid = g.setdatabase
   where setting = any ($3::text[])
     and (g.setdatabase = 0 or d.datname = pg_catalog.current_database())
     and (g.setrole = 0 or r.rolname = $4::text)
   union all
   select 'unlogged', name, '' from tables where relpersistence = 'u'
   union all
   select 'security', name, '' from tables where relrowsecurity
   union all
   select 'rule', t.name, w.rulename::text from tables t join pg_catalog.pg_rewrite w on w.ev_class = t.oid
   where w.ev_enabled <> 'D'
   union all
   select 'trigger', t.name, g.tgname::text from tables t join pg_catalog.pg_trigger g on g.tgrelid = t.oid
   where not g.tgisinternal and g.tgenabled <> 'D'
   union all
   select 'public', t.name, pg_catalog.lower(a.privilege_type)
   from tables t cross join pg_catalog.aclexplode(t.relacl) a where a.grantee = 0
   union all
   select 'public', n.nspname::text, 'create'
   from pg_catalog.pg_namespace n cross join pg_catalog.aclexplode(n.nspacl) a
   where n.nspname = $1::text and a.grantee = 0 and a.privilege_type = 'CREATE'
   order by 1, 2, 3`,
);
