import { hasCitus } from "./read-distribution.js";
import { readShardMap, type Shard, type ShardMap } from "./shard-map.js";
import type { SqlQueries } from "../sql/sql-client.js";

/** The shards of the tables of a cluster, from copies of its catalogue. */
export interface ShardMaps {
  /**
   * Returns the shard of a value of the distribution column of `table`.
   *
   * A table of a server without Citus is one shard. Returns `undefined` if the shard is unknown.
   * The first call for a table reads the catalogue. A copy is read again after a minute, because
   * shards move and split. Calls use the old copy meanwhile.
   */
  readonly shardOf: (table: string, value: string) => Promise<Shard | undefined>;
  /** Discards the copies that are older than a second. Call this if a copy was wrong. */
  readonly discard: () => void;
}

/** How long a copy is used before it is read again, in milliseconds. */
const MAX_AGE = 60_000;

/** A younger copy is not discarded, so that repeated errors do not repeat the read each time. */
const MIN_AGE = 1_000;

/** Creates the {@link ShardMaps} of a cluster. `now` is a clock in milliseconds. */
export function shardMaps(sql: SqlQueries, now: () => number = () => performance.now()): ShardMaps {
  let citus: Promise<boolean> | undefined;
  const copies = new Map<string, Copy>();

  const read = async (table: string): Promise<ShardMap> => {
    citus ??= hasCitus(sql).catch((error: unknown) => {
      citus = undefined;
      throw error;
    });
    return (await citus) ? readShardMap(sql, table) : NO_SHARDS;
  };
  const readFirst = (table: string): Copy => {
    const copy = { map: read(table), readAt: now() };
    copies.set(table, copy);
    copy.map.catch(() => {
      if (copies.get(table) === copy) copies.delete(table);
    });
    return copy;
  };
  /** Replaces a copy. Calls use the old copy until the read succeeds. */
  const readAgain = (table: string, copy: Copy): void => {
    copy.readAt = now();
    read(table).then(
      (map) => {
        if (copies.get(table) === copy) copy.map = Promise.resolve(map);
      },
      () => undefined,
    );
  };
  return {
    shardOf: async (table, value) => {
      const copy = copies.get(table) ?? readFirst(table);
      if (now() - copy.readAt >= MAX_AGE) readAgain(table, copy);
      return (await copy.map)(value);
    },
    discard: () => {
      for (const [table, { readAt }] of copies) if (now() - readAt >= MIN_AGE) copies.delete(table);
    },
  };
}

/** A copy of the shards of a table, and when its reading began. */
interface Copy {
  map: Promise<ShardMap>;
  readAt: number;
}

const ONLY_SHARD: Shard = { id: "" };
const NO_SHARDS: ShardMap = () => ONLY_SHARD;
