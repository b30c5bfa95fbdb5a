import { expect, it } from "vitest";
import { hashText } from "./hash-text.js";
import { shardMaps } from "./shard-maps.js";
import type { SqlQueries, SqlRow } from "../sql/sql-client.js";

const MIDDLE = hashText("middle");
const [MIN, MAX] = [-(2 ** 31), 2 ** 31 - 1];

/** What a test changes. */
interface State {
  rows: readonly SqlRow[];
  reads: number;
  now: number;
  broken: boolean;
}

/** A catalogue with two shards, and a clock. */
function catalogue(options: { readonly citus?: boolean; readonly otherHashes?: boolean } = {}) {
  const { citus = true, otherHashes = false } = options;
  const state: State = {
    rows: [range("low", MIN, MIDDLE - 1), range("high", MIDDLE, MAX)],
    reads: 0,
    now: 0,
    broken: false,
  };
  const sql: SqlQueries = {
    script: () => Promise.resolve(),
    query: ({ name }, values) => {
      if (name.startsWith("distribution_extension")) return Promise.resolve([{ present: citus }]);
      state.reads += 1;
      if (state.broken) return Promise.reject(new Error("Connection terminated unexpectedly"));
      const probe = hashText(String(values[1])) + (otherHashes ? 1 : 0);
      return Promise.resolve(state.rows.map((row) => ({ ...row, probe })));
    },
  };
  return { state, maps: shardMaps(sql, () => state.now) };
}

function range(shard: string, min: number, max: number): SqlRow {
  return { shard, min, max, host: `${shard}.example`, port: 5432 };
}

/** Returns the expected shard of a value. */
function shardOf(value: string) {
  const id = hashText(value) < MIDDLE ? "low" : "high";
  return { id, node: { host: `${id}.example`, port: 5432 } };
}

const VALUES = ["", "middle", ...Array.from({ length: 100 }, (_, nth) => `value ${nth}`)];

it("shardOf finds the shard whose range contains the hash, with one read per table", async () => {
  const { state, maps } = catalogue();
  const found = await Promise.all(VALUES.map((value) => maps.shardOf("orders", value)));
  expect(found).toEqual(VALUES.map(shardOf));
  expect(state.reads).toBe(1);
  await maps.shardOf("sessions", "a");
  expect(state.reads).toBe(2);
});

it("shardOf returns no node if the row has no node", async () => {
  const { state, maps } = catalogue();
  state.rows = [{ ...range("all", MIN, MAX), host: null, port: null }];
  expect(await maps.shardOf("orders", "a")).toEqual({ id: "all" });
});

it("shardOf returns no shard if no range contains the hash", async () => {
  const { state, maps } = catalogue();
  state.rows = [range("low", MIN, MIDDLE - 1), range("high", MIDDLE + 1, MAX)];
  expect(await maps.shardOf("orders", "middle")).toBeUndefined();
});

it("shardOf returns no shard if the server has other hashes", async () => {
  const { maps } = catalogue({ otherHashes: true });
  expect(await maps.shardOf("orders", "a")).toBeUndefined();
});

it("shardOf returns one shard for a server without Citus, and reads nothing more", async () => {
  const { state, maps } = catalogue({ citus: false });
  expect(await maps.shardOf("orders", "a")).toEqual(await maps.shardOf("orders", "b"));
  expect(state.reads).toBe(0);
});

it("shardOf reads the shards again after a minute, and uses the old shards until the read ends", async () => {
  const { state, maps } = catalogue();
  await maps.shardOf("orders", "middle");
  state.rows = [range("split", MIN, MAX)];
  state.now = 59_999;
  expect(await maps.shardOf("orders", "middle")).toMatchObject({ id: "high" });
  expect(state.reads).toBe(1);
  state.now = 60_000;
  expect(await maps.shardOf("orders", "middle")).toMatchObject({ id: "high" });
  await expect.poll(() => maps.shardOf("orders", "middle")).toMatchObject({ id: "split" });
  expect(state.reads).toBe(2);
});

it("shardOf keeps the old shards if it cannot read them again", async () => {
  const { state, maps } = catalogue();
  await maps.shardOf("orders", "middle");
  [state.broken, state.now] = [true, 60_000];
  for (let nth = 0; nth < 3; nth += 1)
    expect(await maps.shardOf("orders", "middle")).toMatchObject({ id: "high" });
  expect(state.reads).toBe(2);
});

it("shardOf reads the shards again after a failed first read", async () => {
  const { state, maps } = catalogue();
  state.broken = true;
  await expect(maps.shardOf("orders", "a")).rejects.toThrow("terminated");
  state.broken = false;
  expect(await maps.shardOf("orders", "a")).toEqual(shardOf("a"));
});

it("discard drops shards that are older than a second", async () => {
  const { state, maps } = catalogue();
  await maps.shardOf("orders", "middle");
  state.rows = [range("split", MIN, MAX)];
  state.now = 999;
  maps.discard();
  expect(await maps.shardOf("orders", "middle")).toMatchObject({ id: "high" });
  state.now = 1_000;
  maps.discard();
  expect(await maps.shardOf("orders", "middle")).toMatchObject({ id: "split" });
});
