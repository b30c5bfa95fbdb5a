import type { SqlClient, SqlRunner } from "../sql/sql-client.js";
import { missingRightsReader } from "../rights/missing-rights.js";
import { hasCitus } from "./read-distribution.js";
import { booleanValue } from "../sql/row.js";
import type { Shard } from "./shard-map.js";
import { type ShardMaps, shardMaps } from "./shard-maps.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";

/** A client over the tables of one schema, which may be distributed over the nodes of a cluster. */
export interface StoreClient extends SqlClient {
  /**
   * Returns whether the tables are distributed.
   *
   * Reads the catalogue of Citus once. A failed read rejects, and the next call reads again.
   */
  isDistributed(): Promise<boolean>;
  /** The shards of the tables. */
  readonly shards: ShardMaps;
  /** Whether the client connects to the nodes of a cluster directly. */
  readonly hasNodes: boolean;
  /** Returns the runner of the node that has `shard`, or of this client if the node is unknown. */
  readonly at: (shard: Shard | undefined) => SqlRunner;
  /**
   * Returns a runner that uses the node with the rows of `value` in `table`.
   *
   * `value` is a value of the distribution column. Another node would return the same results, but
   * costs more work. Without direct connections, this client itself runs the statements.
   */
  readonly near: (table: string, value: string) => SqlRunner;
}

/**
 * Creates a {@link StoreClient} over `schema`. Returns `sql` itself if it already is one.
 *
 * If `distributed` is given, the client does not read the catalogue for `isDistributed`.
 */
export function storeClient(
  sql: SqlClient | StoreClient,
  schema: string,
  distributed?: boolean,
): StoreClient {
  if ("isDistributed" in sql) return sql;
  let known = distributed === undefined ? undefined : Promise.resolve(distributed);
  const isDistributed = (): Promise<boolean> => {
    known ??= readDistributed(sql, schema).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  const { onNode } = sql;
  const shards = shardMaps(sql);
  const withMissingRights = missingRightsReader(sql, schema);
  const here = withMissingRights({
    query: (asked, values) => sql.query(asked, values),
    script: (text) => sql.script(text),
    // Reads the catalogue before the transaction begins. Within the transaction, the read would
    // wait for a second connection, which the pool may not have.
    transaction: async (work, options) => {
      await isDistributed();
      return sql.transaction(work, options);
    },
  });
  const at = (shard: Shard | undefined): SqlRunner =>
    onNode === undefined || shard?.node === undefined ? here : withMissingRights(onNode(shard.node));
  const pick = async (table: string, value: string): Promise<SqlRunner> => {
    if (!(await isDistributed())) return here;
    // If the read of the catalogue fails, this client runs the statement without a direct
    // connection.
    return at(await shards.shardOf(table, value).catch(() => undefined));
  };
  const near = (table: string, value: string): SqlRunner => ({
    query: async (asked, values) => (await pick(table, value)).query(asked, values),
    script: async (text) => (await pick(table, value)).script(text),
    transaction: async (work, options) => (await pick(table, value)).transaction(work, options),
  });
  return {
    ...here,
    close: () => sql.close(),
    isDistributed,
    shards,
    hasNodes: onNode !== undefined,
    at,
    near: onNode === undefined ? () => here : near,
  };
}

const DISTRIBUTED = statement(
  "citus_distributed",
  `select exists (
     select from pg_catalog.pg_dist_partition where logicalrelid = to_regclass($1) and partmethod = 'h'
   ) as distributed`,
);

async function readDistributed(sql: SqlClient, schema: string): Promise<boolean> {
  // A server without the extension citus lacks the table that the query below reads.
  if (!(await hasCitus(sql))) return false;
  const [orders] = await sql.query(DISTRIBUTED, [tablesOf(schema).orders]);
  return orders !== undefined && booleanValue(orders, "distributed");
}

/** Items whose rows are in one shard. */
export interface OfShard<T> {
  /** `undefined` if the shard is unknown. */
  readonly shard: Shard | undefined;
  readonly items: readonly T[];
}

/**
 * Groups items by the shard of `table` that has their rows. The items keep their order.
 *
 * `valueOf` returns the value of the distribution column.
 */
export async function byShard<T>(
  { shards }: Pick<StoreClient, "shards">,
  table: string,
  items: readonly T[],
  valueOf: (item: T) => string,
): Promise<readonly OfShard<T>[]> {
  const groups = new Map<string | undefined, { shard: Shard | undefined; items: T[] }>();
  for (const item of items) {
    const shard = await shards.shardOf(table, valueOf(item));
    const group = groups.get(shard?.id) ?? { shard, items: [] };
    group.items.push(item);
    groups.set(shard?.id, group);
  }
  return [...groups.values()];
}

/** Runs a call in one of two forms: on one server, or on a cluster. */
export function byDistribution<A, R>(
  { isDistributed }: Pick<StoreClient, "isDistributed">,
  forms: {
    readonly server: (call: A) => Promise<R>;
    readonly cluster: (call: A) => Promise<R>;
  },
): (call: A) => Promise<R> {
  // Keeps the form that the first call chose, so that later calls do not wait for a promise.
  let chosen: ((call: A) => Promise<R>) | undefined;
  const choose = async (call: A): Promise<R> => {
    chosen = (await isDistributed()) ? forms.cluster : forms.server;
    return chosen(call);
  };
  return (call) => (chosen ?? choose)(call);
}
