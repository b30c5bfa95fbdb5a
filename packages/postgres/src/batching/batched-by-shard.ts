import { errorCode } from "@tillkit/core/errors";
import { batched, type BatchedMethod, type BatchOptions } from "./batched.js";
import type { Shard } from "../cluster/shard-map.js";
import type { SqlRunner } from "../sql/sql-client.js";
import { startTogether } from "./start-together.js";
import type { StoreClient } from "../cluster/store-client.js";

/** A batched method whose calls each concern the rows of one value of the distribution column. */
export interface ShardedMethod<A, R> extends Pick<BatchedMethod<A, R>, "keyOf"> {
  /** Returns the value of the distribution column. */
  readonly distributionValueOf: (call: A) => string;
  /** Like {@link BatchedMethod.runOne}. `sql` runs statements on the node of the shard. */
  readonly runOne: (call: A, sql: SqlRunner) => Promise<R>;
  /** Like {@link BatchedMethod.runBatch}, for calls of one shard, or of one node. */
  readonly runBatch: (calls: readonly A[], sql: SqlRunner) => Promise<ReadonlyMap<number, R>>;
}

/** The SQLSTATE of a statement that the cluster cannot run, because its rows are on two nodes. */
const NOT_SUPPORTED = "0A000";

type Cluster = Pick<StoreClient, "shards" | "at" | "near">;

/**
 * Batches the concurrent calls of a method that concern the same shard of `table`.
 *
 * A cluster routes a statement with several keys to one node, as one task, if all keys are in one
 * shard. The calls of a turn of the event loop run as one batch per shard. If the client connects
 * to nodes directly, the batch runs on the node of the shard. Later calls wait for these batches,
 * because a statement costs a cluster much more than the rows in it. If a batch fails, for example
 * because its node is down, the other batches continue. If a shard was split after its table was
 * last read, the cluster refuses the batch. Each of its calls then runs alone, and the next call
 * reads the shards again.
 */
export function batchedByShard<A, R>(
  sql: Cluster,
  table: string,
  method: ShardedMethod<A, R>,
  batching?: BatchOptions,
): (call: A) => Promise<R> {
  const groups = grouped(sql, table, method, batching, ({ id }) => id);
  return batching?.maxBatchSize === 1 ? groups : startTogether(groups);
}

/**
 * Batches the concurrent calls of a method that concern the same node.
 *
 * The client must connect to nodes directly. Use it for statements that insert rows, or that are
 * not the first of their transaction. A node runs such a statement for several shards in one
 * process.
 */
export function batchedByNode<A, R>(
  sql: Cluster,
  table: string,
  method: ShardedMethod<A, R>,
  batching?: BatchOptions,
): (call: A) => Promise<R> {
  return grouped(sql, table, method, batching, ({ node }) => JSON.stringify(node ?? null));
}

function grouped<A, R>(
  { shards: maps, at, near }: Cluster,
  table: string,
  { keyOf, distributionValueOf: valueOf, runOne, runBatch }: ShardedMethod<A, R>,
  batching: BatchOptions | undefined,
  groupOf: (shard: Shard) => string,
): (call: A) => Promise<R> {
  const alone = (call: A): Promise<R> => runOne(call, near(table, valueOf(call)));
  if (batching?.maxBatchSize === 1) return alone;
  const groups = new Map<string, Group<A, R>>();
  const newGroup = (shard: Shard): Group<A, R> => {
    // The shard may move to another node while its group exists.
    const current = { shard };
    const method: BatchedMethod<A, R> = {
      ...(keyOf === undefined ? {} : { keyOf }),
      maxConcurrent: 1,
      runOne: (call) => runOne(call, at(current.shard)),
      runBatch: async (calls) => {
        try {
          return await runBatch(calls, at(current.shard));
        } catch (error) {
          if (errorCode(error) !== NOT_SUPPORTED) throw error;
          maps.discard();
          return new Map();
        }
      },
    };
    return Object.assign(current, { run: batched(method, batching) });
  };
  return async (call) => {
    const shard = await maps.shardOf(table, valueOf(call));
    if (shard === undefined) return alone(call);
    const group = groups.get(groupOf(shard)) ?? newGroup(shard);
    groups.set(groupOf(shard), group);
    group.shard = shard;
    return group.run(call);
  };
}

/** The calls of a shard or of a node. */
interface Group<A, R> {
  shard: Shard;
  readonly run: (call: A) => Promise<R>;
}
