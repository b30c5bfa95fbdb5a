import { text } from "../sql/row.js";
import type { SqlQueries } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";

/**
 * The comments of a schema, by `table`, `table.column` and index name.
 *
 * Parts without a comment are absent.
 */
export type Comments = ReadonlyMap<string, string>;

/** Reads the comments of every table, column and index in `schema`. */
export async function readComments(sql: SqlQueries, schema: string): Promise<Comments> {
  const rows = await sql.query(COMMENTS, [schema]);
  return new Map(rows.map((row) => [text(row, "subject"), text(row, "comment")]));
}

const COMMENTS = statement(
  "test_comments",
  `select c.relname || coalesce('.' || a.attname, '') as subject, d.description as comment
   from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
   join pg_catalog.pg_description d on d.classoid = 'pg_catalog.pg_class'::regclass and d.objoid = c.oid
   left join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid and d.objsubid > 0
   where n.nspname = $1::text`,
);
