import pg from "pg";
import { z } from "zod";
import { SCHEMA, type ShopFacts } from "./shop-facts.js";

/** The size of a table without its indexes, or of an index, in bytes. */
export interface DiskSize {
  readonly name: string;
  readonly bytes: number;
}

const sizes = z.array(z.object({ name: z.string(), bytes: z.coerce.number() }));

/**
 * Returns the sizes of all tables and indexes that are larger than `above` bytes.
 *
 * The size of a table includes its free-space map, visibility map and long values.
 */
export async function diskSizes(
  { databaseUrl }: Pick<ShopFacts, "databaseUrl">,
  above: number,
): Promise<readonly DiskSize[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("vacuum");
    const { rows } = await client.query(
      `select t.relname as name, pg_table_size(t.oid) as bytes, t.relname as table_name, 0 as is_index
       from pg_class t where t.relnamespace = '${SCHEMA}'::regnamespace and t.relkind = 'r'
       union all
       select i.relname, pg_relation_size(i.oid), t.relname, 1
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       where t.relnamespace = '${SCHEMA}'::regnamespace
       order by table_name, is_index, name`,
    );
    return sizes.parse(rows).filter(({ bytes }) => bytes > above);
  } finally {
    await client.end();
  }
}
