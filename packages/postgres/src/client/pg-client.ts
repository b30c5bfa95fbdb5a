import { setTimeout } from "node:timers/promises";
import { errorCode } from "@tillkit/core/errors";
import { isStalePlan } from "./is-stale-plan.js";
import { nodeLenders } from "./node-lenders.js";
import { withNestedCalls } from "./nested-calls.js";
import { type UseConnection, connectionLender, type PgPool } from "./pg-connections.js";
import { PINNED_TYPES } from "./pinned-types.js";
import type { NodeAddress, SqlClient, SqlQueries, SqlRunner } from "../sql/sql-client.js";
import { type WatchedConnection, watchConnection } from "./watch-connection.js";

/** The options of {@link pgClient}. Timeouts are whole milliseconds. */
export interface PgOptions {
  /** Timeout of one statement, applied by the server. Defaults to 10 000. */
  readonly statementMs?: number;
  /**
   * Timeout of an idle transaction, applied by the server. Defaults to 10 000.
   *
   * It releases the locks of a process that died inside a transaction.
   */
  readonly idleInTransactionMs?: number;
  /** Timeout for getting a connection from the pool. Defaults to 5 000. */
  readonly connectMs?: number;
  /**
   * Who applies the server settings that this client needs. Defaults to `"connection"`.
   *
   * - `"connection"`: the client configures each connection before its first use.
   * - `"role"`: the client configures nothing. Use this with a pooler such as PgBouncer that lends
   *   a connection for one transaction, and apply `roleSettingsSql` to the role.
   */
  readonly settings?: "connection" | "role";
  /**
   * Whether statements have names on the server. Defaults to `"named"`.
   *
   * - `"named"`: each connection of the server parses a statement once, and may keep its plan.
   * - `"unnamed"`: the server parses and plans every call. Use this with a pooler that lends a
   *   connection for one transaction and does not know named statements, such as PgBouncer before
   *   version 1.21.
   */
  readonly statements?: "named" | "unnamed";
  /**
   * Creates the pool of a node of a Citus cluster. `undefined` uses the coordinator for this node.
   *
   * By default all statements go through the coordinator. With pools, statements on rows of one
   * node run on that node, which takes about half the work. The client creates a pool when it first
   * needs the node, and closes it with itself. If a connection cannot be opened, its call goes
   * through the coordinator, and the client tries the node again after ten seconds.
   */
  readonly nodePool?: (node: NodeAddress) => PgPool | undefined;
  /**
   * Receives the error if a node cannot be reached or refuses the login, once per failed attempt.
   * By default the process emits a warning. Must not throw.
   */
  readonly onNodeUnavailable?: (node: NodeAddress, error: unknown) => void;
}

/**
 * Creates a `SqlClient` over a `Pool` of `pg`. Closing the client closes the pool.
 *
 * Runs a statement or transaction up to three times if the server undid it because of a deadlock, a
 * serialization failure, or a migration that changed the type of a column. After a deadlock or a
 * serialization failure, the client waits 30 to 60 milliseconds first. Transactions with `once` run
 * one time.
 *
 * With `nodePool`, the stores connect to the workers of a Citus cluster directly.
 *
 * Throws if a timeout is not a whole number of milliseconds.
 *
 * @returns the client, for `postgresStores` and `migrate`.
 * @example
 * ```ts
 * import { pgClient } from "@tillkit/postgres";
 * import { Pool } from "pg";
 *
 * const sql = pgClient(new Pool({ host: "/run/postgresql", database: "shop" }));
 * ```
 */
export function pgClient(
  pool: PgPool,
  {
    statementMs,
    idleInTransactionMs,
    connectMs = 5_000,
    settings = "connection",
    statements = "named",
    nodePool,
    onNodeUnavailable,
  }: PgOptions = {},
): SqlClient {
  const named = statements === "named";
  const set = [...settingsOf({ statementMs, idleInTransactionMs }), ...CLUSTER_SETTINGS]
    .map(([name, value]) => `set ${name} = ${value}`)
    .join("; ");
  const lending = {
    connectMs: wholeMs(connectMs),
    ...(settings === "connection" ? { settings: set } : {}),
  };
  const lend = connectionLender(pool, lending);
  const connections = pool.options?.max;
  const coordinator = withNestedCalls(runnerOf(lend, named), { connections, waitMs: wholeMs(connectMs) });
  if (nodePool === undefined) return { ...coordinator, close: () => pool.end() };
  const nodes = nodeLenders({ nodePool, coordinator: lend, lending, onUnavailable: onNodeUnavailable });
  return {
    ...coordinator,
    onNode: (node) => runnerOf(nodes.lenderOf(node), named),
    close: async () => {
      await Promise.all([pool.end(), nodes.close()]);
    },
  };
}

/** Runs statements on the connections of a pool. */
function runnerOf(lend: UseConnection, named: boolean): SqlRunner {
  return {
    query: (statement, values) =>
      again((prepare) => lend((one) => queriesOf(one, named && prepare).query(statement, values))),
    script: (text) => lend((one) => queriesOf(one, true).script(text)),
    transaction: (work, { once = false } = {}) =>
      once ? transaction(lend, work, named) : again((prepare) => transaction(lend, work, named && prepare)),
  };
}

/** The timeouts that {@link settingsOf} reads. */
export type ServerTimeouts = Readonly<Record<"statementMs" | "idleInTransactionMs", number | undefined>>;

/** Returns the server settings that this package needs, with their values as SQL. */
export function settingsOf({
  statementMs = 10_000,
  idleInTransactionMs = 10_000,
}: ServerTimeouts): readonly (readonly [name: string, value: string])[] {
  return [
    ["statement_timeout", `${wholeMs(statementMs)}`],
    ["idle_in_transaction_session_timeout", `${wholeMs(idleInTransactionMs)}`],
    // The stores rely on this level, and the database or role may have another default.
    ["default_transaction_isolation", "'read committed'"],
    // The database or role may have other values. They could change the meaning of the statements,
    // or end a wait for a lock before the timeout of the statement.
    ["standard_conforming_strings", "on"],
    ["transform_null_equals", "off"],
    ["array_nulls", "on"],
    ["lock_timeout", "0"],
    // Every statement has an index, and PostgreSQL keeps plans. A plan that was made for an empty
    // table would still read the whole table after the table has grown.
    ["enable_seqscan", "off"],
    // Servers before version 18 estimate such a high cost for an unavoidable table scan that they
    // compile the statement first.
    ["jit", "off"],
  ];
}

/**
 * Settings that only a Citus cluster reads. A server without the extension accepts and ignores
 * them.
 *
 * A query over many shards uses one connection per node. More connections would only compete with
 * the connections of other callers.
 */
const CLUSTER_SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ["citus.max_adaptive_executor_pool_size", "1"],
];

/**
 * @param prepare - whether the server keeps each statement prepared for the next call.
 */
function queriesOf(connection: Pick<WatchedConnection, "query">, prepare: boolean): SqlQueries {
  return {
    query: async ({ name, text }, values) => {
      const given = [...values];
      const query = { ...(prepare && { name }), text, values: given, types: PINNED_TYPES };
      return (await connection.query(query)).rows;
    },
    script: async (text) => {
      await connection.query({ text });
    },
  };
}

function transaction<T>(
  lend: UseConnection,
  work: (queries: SqlQueries) => Promise<T>,
  prepare: boolean,
): Promise<T> {
  return lend(async (connection, keep) => {
    const line = watchConnection(connection);
    await line.query({ text: "begin isolation level read committed" });
    try {
      const result = await work(queriesOf(line, prepare));
      await line.query({ text: "commit" });
      return result;
    } catch (error) {
      // A server that does not answer cannot answer a rollback either. It undoes the transaction
      // when the connection ends.
      if (line.isLost()) throw error;
      // If the rollback fails, the state of the connection is unknown. 25006 (read-only
      // transaction) means that the server is no longer the primary. A stale plan stays on its
      // connection. In these three cases, the connection is closed.
      const usable = errorCode(error) !== "25006" && !isStalePlan(error);
      await connection.query("rollback").then(usable ? keep : () => undefined, () => undefined);
      throw error;
    }
  });
}

const RUNS = 3;

/** The shortest pause before a repetition, in milliseconds. The longest is twice as long. */
const PAUSE_MS = 30;

/**
 * Repeats `work` if the server undid it: because of a deadlock, a serialization failure or a stale
 * plan.
 *
 * After a stale plan, `work` runs without prepared statements, because the other connections of the
 * pool have stale plans too.
 */
async function again<T>(work: (prepare: boolean) => Promise<T>): Promise<T> {
  let prepare = true;
  for (let run = 1; ; run += 1) {
    try {
      return await work(prepare);
    } catch (error) {
      if (run === RUNS || !isRetryable(error)) throw error;
      if (isStalePlan(error)) prepare = false;
      // During the pause, the other transaction of a deadlock ends. Otherwise both could deadlock
      // again.
      else await setTimeout(PAUSE_MS * (1 + Math.random()));
    }
  }
}

function isRetryable(error: unknown): boolean {
  const code = errorCode(error);
  return code === "40P01" || code === "40001" || isStalePlan(error);
}

function wholeMs(ms: number): number {
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new RangeError("A timeout must be a whole number of milliseconds, 0 or more.");
}
