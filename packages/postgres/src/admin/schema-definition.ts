import { booleanValue, text } from "../sql/row.js";
import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";

/** The parts of a table by name, as SQL without the names of the schema and the table. */
export interface TableDefinition {
  /**
   * Type, `not null`, default, and the collation if it is not the default collation of the type.
   */
  readonly columns: Readonly<Record<string, string>>;
  /** `unique`, method, columns and condition. Includes the indexes of constraints. */
  readonly indexes: Readonly<Record<string, string>>;
  readonly constraints: Readonly<Record<string, string>>;
}

/** The tables of a schema by name. */
export type SchemaDefinition = Readonly<Record<string, TableDefinition>>;

/** The actual state of a schema on the server. */
export interface FoundSchema {
  readonly tables: SchemaDefinition;
  /**
   * Indexes that a failed `create index concurrently` left behind.
   *
   * Every write updates such an index, and no query uses it.
   */
  readonly invalidIndexes: readonly string[];
}

/**
 * Reads the tables of `schema` from the system catalog.
 *
 * Every role may read the catalog. A missing schema has no tables.
 */
export async function readSchemaDefinition(sql: SqlQueries, schema: string): Promise<FoundSchema> {
  const parts = (await sql.query(PARTS, [schema])).map((row) => ({
    table: text(row, "table_name"),
    kind: text(row, "kind"),
    name: text(row, "name"),
    definition: text(row, "definition"),
    valid: booleanValue(row, "valid"),
  }));
  const ofTable = (table: string, kind: string) =>
    Object.fromEntries(
      parts
        .filter((part) => part.table === table && part.kind === kind)
        .map((part) => [part.name, part.definition]),
    );
  const tables = [...new Set(parts.map(({ table }) => table))].map((table) => {
    const indexes = ofTable(table, "index");
    return [
      table,
      { columns: ofTable(table, "column"), indexes, constraints: ofTable(table, "constraint") },
    ] as const;
  });
  return {
    tables: Object.fromEntries(tables),
    invalidIndexes: parts.filter(({ valid }) => !valid).map(({ name }) => name),
  };
}

// Gives the same result on PostgreSQL 15 and later, because it leaves out the constraints that
// version 18 creates for `not null`. Sorts names by byte, and columns by position.
const PARTS = statement(
  "catalogue_parts",
  `with tables as (
     select c.oid, c.relname, n.nspname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1::text and c.relkind in ('r', 'p')
   ), parts as (
     select t.relname, 1 as rank, 'column' as kind, a.attname::text as name, a.attnum::int as place,
       pg_catalog.format_type(a.atttypid, a.atttypmod)
         || case when a.attcollation <> y.typcollation then ' collate ' || a.attcollation::regcollation::text else '' end
         || case when a.attnotnull then ' not null' else '' end
         || coalesce(' default ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid), '') as definition,
       true as valid
     from tables t join pg_catalog.pg_attribute a on a.attrelid = t.oid join pg_catalog.pg_type y on y.oid = a.atttypid
     left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attnum > 0 and not a.attisdropped
     union all
     select t.relname, 2, 'index', i.relname::text, 0,
       case when x.indisunique then 'unique ' else '' end
         || pg_catalog.split_part(pg_catalog.pg_get_indexdef(x.indexrelid),
              pg_catalog.format(' ON %I.%I USING ', t.nspname, t.relname), 2),
       x.indisvalid
     from tables t join pg_catalog.pg_index x on x.indrelid = t.oid join pg_catalog.pg_class i on i.oid = x.indexrelid
     union all
     select t.relname, 3, 'constraint', k.conname::text, 0, pg_catalog.pg_get_constraintdef(k.oid), true
     from tables t join pg_catalog.pg_constraint k on k.conrelid = t.oid where k.contype in ('p', 'u', 'c', 'f', 'x')
   )
   select relname::text as table_name, kind, name, definition, valid from parts
   order by relname, rank, place, name collate "C"`,
);
