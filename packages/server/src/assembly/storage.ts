import { nodeUrl, pgClient, type SqlClient } from "@tillkit/postgres";
import pg from "pg";
import type { Config } from "../config.js";

/** The connections of a host to its database. */
export interface Storage {
  /** The pool that requests and background work share. */
  readonly pool: pg.Pool;
  readonly sql: SqlClient;
  /** One connection for probes and metrics, so that a busy host still answers them. */
  readonly probe: SqlClient;
  close(): Promise<void>;
}

/** How long a request waits for a free connection, in milliseconds. Then it fails, retryably. */
const CONNECT_MS = 3_000;
/**
 * Timeouts of a statement, in milliseconds: at the server, and for the arrival of its answer.
 *
 * If the database does not answer, a request fails within `CONNECT_MS` plus `ANSWER_MS`: ten
 * seconds.
 */
const STATEMENT_MS = 5_000;
const ANSWER_MS = 7_000;

/** Opens the pools without connecting. */
export function openStorage({ url, poolMax, settings, statements, nodes }: Config["database"]): Storage {
  const poolOf = (at: string) => new pg.Pool({ ...limits(at), max: poolMax, application_name: "tillkit" });
  const pool = poolOf(url);
  const options = { settings, statements, connectMs: CONNECT_MS, statementMs: STATEMENT_MS };
  const probe = pgClient(new pg.Pool({ ...limits(url), max: 1, application_name: "tillkit probe" }), options);
  const sql = pgClient(pool, {
    ...options,
    ...(nodes === "direct" ? { nodePool: (node) => poolOf(nodeUrl(url, node)) } : {}),
  });
  return {
    pool,
    sql,
    probe,
    close: async () => {
      await Promise.all([sql.close(), probe.close()]);
    },
  };
}

function limits(connectionString: string): pg.PoolConfig {
  return {
    connectionString,
    // Without this timeout, an unanswered connection attempt would occupy the pool for minutes.
    connectionTimeoutMillis: CONNECT_MS,
    // Longer than the server's own timeout, so it takes effect only if the network or the server is
    // dead.
    query_timeout: ANSWER_MS,
    keepAlive: true,
    idleTimeoutMillis: 30_000,
    // Lets connections move to the right server after a failover or behind a load balancer.
    maxLifetimeSeconds: 1_800,
  };
}
