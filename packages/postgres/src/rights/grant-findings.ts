import { PRIVILEGES } from "./grants.js";
import { booleanValue, optionalText, text } from "../sql/row.js";
import type { SchemaFinding } from "./schema-finding.js";
import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted, TABLE_NAMES, type TableName } from "../sql/tables.js";

/**
 * Returns the missing and the excess privileges of `application` in `schema`.
 *
 * Compares the effective privileges, through any role and through ownership, with those that
 * `grantsSql` gives.
 */
export async function grantFindings(
  sql: SqlQueries,
  schema: string,
  application: string,
): Promise<readonly SchemaFinding[]> {
  const [role] = await sql.query(ROLE, [application]);
  const place = { schema, application };
  if (role === undefined) return [missingRole(application)];
  if (booleanValue(role, "superuser")) {
    const message = `The role ${application} is a superuser: grants do not restrict it.`;
    return [excess(application, message, `alter role ${quoted(application)} nosuperuser;`)];
  }
  const columns = JSON.stringify(COLUMN_PRIVILEGES);
  const rights = (await sql.query(RIGHTS, [schema, application, columns])).map((row) => ({
    table: optionalText(row, "table_name"),
    privilege: text(row, "privilege"),
    held: booleanValue(row, "held"),
    somewhere: booleanValue(row, "somewhere"),
    owner: booleanValue(row, "owner"),
  }));
  const owned = [...new Set(rights.flatMap(({ table, owner }) => (owner ? [table ?? schema] : [])))];
  return [
    ...owned.map((name) => ownership(name, place)),
    ...rights.flatMap(({ table, privilege, held: stored, somewhere, owner }): readonly SchemaFinding[] => {
      const wanted = isWanted(table, privilege);
      if (wanted && !stored) return [missingGrant(table, privilege, place)];
      return !wanted && somewhere && !owner ? [excessGrant(table, privilege, place)] : [];
    }),
  ];
}

interface Place {
  readonly schema: string;
  readonly application: string;
}

// Without a table, the privilege is one on the schema. No privilege on an unknown table is wanted.
function isWanted(table: string | undefined, privilege: string): boolean {
  if (table === undefined) return privilege === "usage";
  const known: TableName | undefined = TABLE_NAMES.find((name) => name === table);
  return known !== undefined && PRIVILEGES[known].split(", ").includes(privilege);
}

function missingGrant(table: string | undefined, privilege: string, place: Place): SchemaFinding {
  return {
    kind: "missing-grant",
    subject: table ?? place.schema,
    message: `The role ${place.application} has no right to ${privilege} on ${table ?? "the schema"}: statements that need this right fail.`,
    fix: `grant ${privilege} on ${target(table, place)} to ${quoted(place.application)};`,
  };
}

function excessGrant(table: string | undefined, privilege: string, place: Place): SchemaFinding {
  const message = `The role ${place.application} may ${privilege} on ${table ?? "the schema"}, which no store needs.`;
  const revoke = `revoke ${privilege} on ${target(table, place)} from ${quoted(place.application)};`;
  return excess(
    table ?? place.schema,
    message,
    `${revoke} If the role still has the right, revoke it from public and from the roles that it is a member of.`,
  );
}

function ownership(name: string, { application }: Place): SchemaFinding {
  const message = `The role ${application} owns ${name} or is a member of its owner: it may change and drop ${name}.`;
  return excess(
    name,
    message,
    "Make another role the owner of the schema and its tables, and migrate with that role.",
  );
}

function missingRole(application: string): SchemaFinding {
  return {
    kind: "missing-role",
    subject: application,
    message: `The role ${application} does not exist.`,
    fix: `Run: create role ${quoted(application)} login; then migrate with this role as the application role.`,
  };
}

function excess(subject: string, message: string, fix: string): SchemaFinding {
  return { kind: "excess-grant", subject, message, fix };
}

function target(table: string | undefined, { schema }: Place): string {
  return table === undefined ? `schema ${quoted(schema)}` : `${quoted(schema)}.${quoted(table)}`;
}

const ROLE = statement(
  "grants_role",
  "select rolsuper as superuser from pg_catalog.pg_roles where rolname = $1::text",
);

/** The privileges on single columns. */
const COLUMN_PRIVILEGES = TABLE_NAMES.flatMap((table) =>
  [...PRIVILEGES[table].matchAll(/(\w+) \((\w+)\)/g)].map(([, privilege, column]) => ({
    table_name: table,
    privilege,
    column_name: column,
  })),
);

// `held` is whether the role has the whole privilege. `somewhere` is true even if the role has it
// only on a column that is not in `wanted`. `maintain` exists since PostgreSQL 17.
const RIGHTS = statement(
  "grants_held",
  `with wanted as (
     select * from pg_catalog.json_to_recordset($3::text::json) as w (table_name text, privilege text, column_name text)
   )
   select null::text as table_name, privilege,
     pg_catalog.has_schema_privilege($2::name, n.oid, privilege) as held,
     pg_catalog.has_schema_privilege($2::name, n.oid, privilege) as somewhere,
     pg_catalog.pg_has_role($2::name, n.nspowner, 'member') as owner
   from pg_catalog.pg_namespace n cross join pg_catalog.unnest(array['usage', 'create']) privilege where n.nspname = $1::text
   union all
   select c.relname::text, privilege,
     pg_catalog.has_table_privilege($2::name, c.oid, privilege),
     pg_catalog.has_table_privilege($2::name, c.oid, privilege)
       or case when privilege in ('select', 'insert', 'update', 'references')
         then exists (
           select from pg_catalog.pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             and pg_catalog.has_column_privilege($2::name, c.oid, a.attnum, privilege)
             and not exists (
               select from wanted w
               where w.table_name = c.relname and w.privilege = rights.privilege and w.column_name = a.attname
             )
         ) else false end,
     pg_catalog.pg_has_role($2::name, c.relowner, 'member')
   from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
   cross join pg_catalog.unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']
     || case when pg_catalog.current_setting('server_version_num')::int >= 170000 then array['maintain'] else '{}' end) rights (privilege)
   where n.nspname = $1::text and c.relkind in ('r', 'p')
   union all
   select c.relname::text, w.privilege || ' (' || w.column_name || ')',
     pg_catalog.has_column_privilege($2::name, c.oid, w.column_name, w.privilege),
     pg_catalog.has_column_privilege($2::name, c.oid, w.column_name, w.privilege),
     pg_catalog.pg_has_role($2::name, c.relowner, 'member')
   from wanted w join pg_catalog.pg_class c on c.relname = w.table_name
   join pg_catalog.pg_namespace n on n.oid = c.relnamespace
   where n.nspname = $1::text and c.relkind in ('r', 'p')
   order by 1 nulls first, 2`,
);
