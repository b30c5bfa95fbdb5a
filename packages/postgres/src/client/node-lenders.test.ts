import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nodeLenders } from "./node-lenders.js";
import { pgClient } from "./pg-client.js";
import { connectionLender, type PgConnection, type PgPool, type PgQuery } from "./pg-connections.js";
import { statement } from "../sql/statement.js";

const NODE = { host: "worker-1", port: 5432 };
const CHANGE = statement("test_change", "update orders set paid = true where biz_no = $1");

/** What a fake pool records, and how it fails. */
interface FakePool {
  /** The statements and failed connections, in order. */
  readonly served: string[];
  connectError: Error | undefined;
  /** Returns the error of a statement. */
  refuse: (text: string) => Error | undefined;
  ended: number;
}

/** A pool that records its statements and answers all of them. */
function fakePool(name: string) {
  const pool: FakePool = { served: [], connectError: undefined, refuse: () => undefined, ended: 0 };
  const query = (asked: PgQuery | string): Promise<{ rows: { name: string }[] }> => {
    const text = typeof asked === "string" ? asked : asked.text;
    pool.served.push(text);
    const error = pool.refuse(text);
    return error === undefined ? Promise.resolve({ rows: [{ name }] }) : Promise.reject(error);
  };
  const connection: PgConnection = { query, on: () => undefined, release: () => undefined };
  const asPool: PgPool = {
    connect: () => {
      if (pool.connectError === undefined) return Promise.resolve(connection);
      pool.served.push("failed to connect");
      return Promise.reject(pool.connectError);
    },
    on: () => undefined,
    end: async () => {
      pool.ended += 1;
    },
  };
  return Object.assign(pool, { asPool });
}

const refused = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/** Lenders of one node with a clock, and the pools behind them. */
function lenders() {
  const [coordinator, worker] = [fakePool("coordinator"), fakePool("worker")];
  const reports: unknown[] = [];
  const clock = { now: 0 };
  const lending = { connectMs: 100 };
  const nodes = nodeLenders({
    nodePool: () => worker.asPool,
    coordinator: connectionLender(coordinator.asPool, lending),
    lending,
    onUnavailable: (_node, error) => reports.push(error),
    now: () => clock.now,
  });
  const run = (text = "select 1"): Promise<unknown> =>
    nodes.lenderOf(NODE)(async (connection) => (await connection.query({ text })).rows[0]?.["name"]);
  return { coordinator, worker, reports, clock, nodes, run };
}

describe("nodeLenders", () => {
  it("runs work on the node", async () => {
    const { run, coordinator } = lenders();
    expect(await run()).toBe("worker");
    expect(coordinator.served).toEqual([]);
  });

  it("runs work through the coordinator if the node cannot be reached, and reports it once", async () => {
    const { run, worker, reports } = lenders();
    worker.connectError = refused();
    expect(await Promise.all([run(), run(), run()])).toEqual(["coordinator", "coordinator", "coordinator"]);
    expect(reports).toEqual([worker.connectError]);
  });

  it("does not try the node during the pause, then tries it once, and uses the node again", async () => {
    const { run, worker, reports, clock } = lenders();
    worker.connectError = refused();
    await run();
    clock.now = 9_999;
    expect(await run()).toBe("coordinator");
    expect(worker.served).toHaveLength(1);
    clock.now = 10_000;
    expect(await Promise.all([run(), run()])).toEqual(["coordinator", "coordinator"]);
    expect(worker.served).toHaveLength(2);
    expect(reports).toHaveLength(2);
    worker.connectError = undefined;
    clock.now = 20_000;
    expect(await run()).toBe("worker");
    expect(await run()).toBe("worker");
  });

  it("does not repeat work whose outcome is unknown", async () => {
    const { run, worker, coordinator, reports } = lenders();
    worker.refuse = () => new Error("Connection terminated unexpectedly");
    await expect(run()).rejects.toThrow("Connection terminated unexpectedly");
    expect(worker.served).toEqual(["select 1"]);
    expect(coordinator.served).toEqual([]);
    expect(reports).toEqual([]);
  });

  it("uses the coordinator after the node has become a standby", async () => {
    const { run, worker } = lenders();
    worker.refuse = () =>
      Object.assign(new Error("cannot execute UPDATE in a read-only transaction"), { code: "25006" });
    await expect(run()).rejects.toThrow("read-only");
    expect(await run()).toBe("coordinator");
  });

  it("uses the coordinator for a node without a pool", async () => {
    const coordinator = fakePool("coordinator");
    const lending = { connectMs: 100 };
    const lend = connectionLender(coordinator.asPool, lending);
    const nodes = nodeLenders({ nodePool: () => undefined, coordinator: lend, lending });
    expect(nodes.lenderOf(NODE)).toBe(lend);
    await nodes.close();
  });

  it("closes the pools of the nodes, and opens none afterwards", async () => {
    const { run, worker, nodes } = lenders();
    await run();
    await nodes.close();
    expect(worker.ended).toBe(1);
    expect(nodes.lenderOf({ host: "worker-2", port: 5432 })).toBeTypeOf("function");
    expect(worker.served).toEqual(["select 1"]);
  });
});

describe("pgClient with the pools of nodes", () => {
  const warn = vi.fn<(warning: string | Error) => void>();
  beforeEach(() => {
    warn.mockReset();
    vi.spyOn(process, "emitWarning").mockImplementation(warn);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  function client() {
    const [coordinator, worker] = [fakePool("coordinator"), fakePool("worker")];
    const sql = pgClient(coordinator.asPool, { nodePool: () => worker.asPool, statementMs: 1_234 });
    const node = sql.onNode?.(NODE) ?? sql;
    return { coordinator, worker, sql, node };
  }

  it("configures the connections of a node, and runs transactions on them", async () => {
    const { worker, coordinator, node } = client();
    await node.transaction((transaction) => transaction.query(CHANGE, ["b-1"]));
    const [settings, ...statements] = worker.served;
    expect(settings).toMatch(/set statement_timeout = 1234;.*set citus\.max_adaptive_executor_pool_size = 1/);
    expect(statements).toEqual(["begin isolation level read committed", CHANGE.text, "commit"]);
    expect(coordinator.served).toEqual([]);
  });

  it("runs a transaction once, through the coordinator, if the node refuses the login", async () => {
    const { worker, coordinator, node } = client();
    worker.connectError = Object.assign(new Error("password authentication failed"), { code: "28P01" });
    await node.transaction((transaction) => transaction.query(CHANGE, ["b-1"]));
    expect(coordinator.served.filter((text) => text === CHANGE.text)).toHaveLength(1);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/worker-1:5432: password authentication failed/),
      { code: "TILLKIT_NODE_UNAVAILABLE" },
    );
  });

  it("does not repeat a transaction if the answer to its commit is lost", async () => {
    const { worker, coordinator, node } = client();
    worker.refuse = (text) =>
      text === "commit" ? new Error("Connection terminated unexpectedly") : undefined;
    const change = node.transaction((transaction) => transaction.query(CHANGE, ["b-1"]));
    await expect(change).rejects.toThrow("Connection terminated unexpectedly");
    expect(worker.served.filter((text) => text === CHANGE.text)).toHaveLength(1);
    expect(coordinator.served).toEqual([]);
  });

  it("closes all pools", async () => {
    const { coordinator, worker, sql, node } = client();
    await node.query(CHANGE, ["b-1"]);
    await sql.close();
    expect([coordinator.ended, worker.ended]).toEqual([1, 1]);
  });

  it("has no nodes without the option", () => {
    expect(pgClient(fakePool("coordinator").asPool).onNode).toBeUndefined();
  });
});
