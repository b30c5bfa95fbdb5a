import { pgClient, type SqlClient } from "@tillkit/postgres";
import pg from "pg";
import type { Config } from "./config.js";

/** A host's connections to its database. */
export interface Storage {
  /** What requests and background work share. */
  readonly pool: pg.Pool;
  readonly sql: SqlClient;
  /** One connection for probes and metrics: a busy host is not a broken one. */
  readonly probe: SqlClient;
  close(): Promise<void>;
}

/** How long a request waits for a free connection, in milliseconds: a caller is better told to come back than kept waiting. */
const CONNECT_MS = 3_000;
/** How long a statement may take at the server, and how long its answer is waited for, in milliseconds: a caller is told within ten seconds. */
const STATEMENT_MS = 5_000;
const ANSWER_MS = 7_000;

/** Opens the pools. Nothing is connected yet. */
export function openStorage({ url, poolMax, settings }: Config["database"]): Storage {
  const pool = new pg.Pool({ ...limits(url), max: poolMax, application_name: "tillkit" });
  const options = { settings, connectMs: CONNECT_MS, statementMs: STATEMENT_MS };
  const probe = pgClient(new pg.Pool({ ...limits(url), max: 1, application_name: "tillkit probe" }), options);
  const sql = pgClient(pool, options);
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
    // Without it a connection that is never answered would keep its place in the pool until the network gave it up, minutes later.
    connectionTimeoutMillis: CONNECT_MS,
    // Longer than the server's own limit: it only ends what a dead network or a stopped server swallowed.
    query_timeout: ANSWER_MS,
    keepAlive: true,
    idleTimeoutMillis: 30_000,
    // After a failover or behind a balancer, connections move to where they should be.
    maxLifetimeSeconds: 1_800,
  };
}
