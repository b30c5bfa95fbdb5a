import { hashText } from "./hash-text.js";
import { integer, optionalInteger, optionalText, text } from "../sql/row.js";
import type { NodeAddress, SqlQueries, SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";

/** A shard of a distributed table: the rows whose hashes are in one range. */
export interface Shard {
  readonly id: string;
  /**
   * The node that has the shard, unless it is the node of this client.
   *
   * Also absent if the node cannot run statements itself, because it has no current copy of the
   * catalogue of the cluster.
   */
  readonly node?: NodeAddress;
}

/** The shards of a table. Returns the shard of a value of the distribution column. */
export type ShardMap = (value: string) => Shard | undefined;

/**
 * Reads the shards of `table` from the catalogue of Citus.
 *
 * The map is empty if the hashes of the server differ from {@link hashText}.
 */
export async function readShardMap(sql: SqlQueries, table: string): Promise<ShardMap> {
  const rows = await sql.query(SHARDS, [table, PROBE]);
  const [first] = rows;
  if (first === undefined || integer(first, "probe") !== hashText(PROBE)) return () => undefined;
  const ranges = rows.map((row) => ({
    min: integer(row, "min"),
    max: integer(row, "max"),
    shard: toShard(row),
  }));
  return (value) => {
    const hash = hashText(value);
    // Finds the last range that begins at or before the hash.
    let [from, to] = [0, ranges.length - 1];
    while (from < to) {
      const middle = Math.ceil((from + to) / 2);
      if ((ranges[middle]?.min ?? 0) <= hash) from = middle;
      else to = middle - 1;
    }
    const range = ranges[from];
    return range !== undefined && range.min <= hash && hash <= range.max ? range.shard : undefined;
  };
}

/** A text whose hash depends on the byte order and the encoding of the server. */
const PROBE = "tillkit-distribution-é中😀";

const SHARDS = statement(
  "citus_shards",
  `select s.shardid::text as shard, s.shardminvalue::int as min, s.shardmaxvalue::int as max,
     n.nodename as host, n.nodeport as port, pg_catalog.hashtext($2::text) as probe
   from pg_catalog.pg_dist_shard s
   left join lateral (
     select nodename, nodeport from pg_catalog.pg_dist_placement p
     join pg_catalog.pg_dist_node d on d.groupid = p.groupid
     where p.shardid = s.shardid and p.shardstate = 1
       and d.noderole = 'primary' and d.isactive and d.hasmetadata and d.metadatasynced
       and d.groupid <> (select groupid from pg_catalog.pg_dist_local_group)
     order by p.placementid limit 1
   ) n on true
   where s.logicalrelid = pg_catalog.to_regclass($1::text) and s.shardminvalue is not null
   order by s.shardminvalue::int`,
);

function toShard(row: SqlRow): Shard {
  const [host, port] = [optionalText(row, "host"), optionalInteger(row, "port")];
  const id = text(row, "shard");
  return host === undefined || port === undefined ? { id } : { id, node: { host, port } };
}
