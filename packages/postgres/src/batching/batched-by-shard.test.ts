import { expect, it } from "vitest";
import { batchedByShard } from "./batched-by-shard.js";
import type { Shard } from "../cluster/shard-map.js";
import type { SqlRunner } from "../sql/sql-client.js";
import type { StoreClient } from "../cluster/store-client.js";

/** A runner of the node on `port`. Its statements return the port. */
function runner(port: number): SqlRunner {
  const runs: SqlRunner = {
    query: () => Promise.resolve([{ port }]),
    script: () => Promise.resolve(),
    transaction: (work) => work(runs),
  };
  return runs;
}

/**
 * A cluster whose shards are the first letters of the values. It has no shard for "?". The shards
 * are on the node with the port `port`, and the coordinator has the port 0.
 */
function cluster(): Pick<StoreClient, "shards" | "at" | "near"> & { discarded: number; port: number } {
  const result = {
    discarded: 0,
    port: 1,
    at: (shard: Shard | undefined) => runner(shard?.node?.port ?? 0),
    near: () => runner(0),
    shards: {
      shardOf: (_: string, [id = ""]: string) => {
        const node = { host: "worker", port: result.port };
        return Promise.resolve(id === "?" ? undefined : { id, node });
      },
      discard: () => {
        result.discarded += 1;
      },
    },
  };
  return result;
}

/** A method that records its batches. */
function recording(refuse: (calls: readonly string[]) => Error | undefined = () => undefined) {
  const batches: (readonly string[])[] = [];
  const method = {
    distributionValueOf: (call: string) => call,
    runOne: (call: string) => {
      batches.push([call]);
      return Promise.resolve(call.toUpperCase());
    },
    runBatch: (calls: readonly string[]) => {
      batches.push(calls);
      const error = refuse(calls);
      if (error !== undefined) return Promise.reject(error);
      return Promise.resolve(new Map(calls.map((call, place) => [place, call.toUpperCase()])));
    },
  };
  return { batches, method };
}

const CALLS = ["a1", "b1", "a2", "b2", "c1"];
const CAPITALS = ["A1", "B1", "A2", "B2", "C1"];

function run(call: (value: string) => Promise<string>) {
  return Promise.allSettled(CALLS.map(call));
}

it("batchedByShard runs one batch per shard for the calls of a turn", async () => {
  const { batches, method } = recording();
  const call = batchedByShard(cluster(), "orders", method);
  expect(await Promise.all(CALLS.map(call))).toEqual(CAPITALS);
  expect(batches.toSorted()).toEqual([["a1", "a2"], ["b1", "b2"], ["c1"]]);
});

it("a failed batch fails no calls of other shards", async () => {
  const lost = new Error("Connection terminated unexpectedly");
  const { method } = recording(([first]) => (first === "b1" ? lost : undefined));
  const results = await run(batchedByShard(cluster(), "orders", method));
  expect(results.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
});

it("batchedByShard runs each call alone if the cluster refuses the batch because a shard was split", async () => {
  const refusal = Object.assign(new Error("complex joins are only supported"), { code: "0A000" });
  const { batches, method } = recording(([first]) => (first === "b1" ? refusal : undefined));
  const sql = cluster();
  const call = batchedByShard(sql, "orders", method);
  expect(await Promise.all(CALLS.map(call))).toEqual(CAPITALS);
  expect(batches).toContainEqual(["b1"]);
  expect(batches).toContainEqual(["b2"]);
  expect(sql.discarded).toBe(1);
});

it("batchedByShard runs a call alone if its shard is unknown", async () => {
  const { batches, method } = recording();
  const call = batchedByShard(cluster(), "orders", method);
  expect(await Promise.all(["?1", "?2"].map(call))).toEqual(["?1", "?2"]);
  expect(batches).toEqual([["?1"], ["?2"]]);
});

it("batchedByShard runs every call alone if batches are switched off", async () => {
  const { batches, method } = recording();
  const call = batchedByShard(cluster(), "orders", method, { maxBatchSize: 1 });
  expect(await Promise.all(CALLS.map(call))).toEqual(CAPITALS);
  expect(batches.map((batch) => batch.length)).toEqual([1, 1, 1, 1, 1]);
});

it("batchedByShard runs each batch on the node of its shard, even after the shard has moved", async () => {
  const sql = cluster();
  const portOf = async (queries: SqlRunner) =>
    Number((await queries.query({ name: "test_port", text: "select" }, []))[0]?.["port"]);
  const call = batchedByShard(sql, "orders", {
    distributionValueOf: (value: string) => value,
    runOne: (_value, queries) => portOf(queries),
    runBatch: async (values, queries) => {
      const port = await portOf(queries);
      return new Map(values.map((_value, place) => [place, port]));
    },
  });
  expect(await Promise.all(["a1", "a2", "b1"].map(call))).toEqual([1, 1, 1]);
  sql.port = 2;
  expect(await Promise.all(["a1", "a2", "b1", "?1"].map(call))).toEqual([2, 2, 2, 0]);
});
