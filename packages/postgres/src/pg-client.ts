import type { SqlClient, SqlQueries, SqlRow, SqlStatement } from "./sql-client.js";

/** A statement as `pg` takes it. */
interface PgQuery extends Partial<SqlStatement> {
  text: string;
  values?: unknown[];
}

/** What this package uses of a connection of `pg`. */
export interface PgConnection {
  query(query: PgQuery): Promise<{ rows: SqlRow[] }>;
  query(text: string): Promise<unknown>;
  release(broken?: boolean): void;
}

/** What this package uses of a `Pool` of `pg`. */
export interface PgPool {
  query(query: PgQuery): Promise<{ rows: SqlRow[] }>;
  connect(): Promise<PgConnection>;
  on(event: "connect", listener: (connection: Pick<PgConnection, "query">) => void): unknown;
  on(event: "error", listener: () => void): unknown;
  end(): Promise<void>;
}

/** How long the server lets this client take, in milliseconds. */
export interface PgTimeouts {
  /** For one statement; 10 000 unless told. */
  readonly statementMs?: number;
  /** For doing nothing inside of a transaction; 10 000 unless told. A process that dies thereby holds no lock for long. */
  readonly idleInTransactionMs?: number;
}

/**
 * A `SqlClient` over a `Pool` of `pg`. Give it a pool that has no connection yet: the time-outs are set on each new one. It closes the
 * pool with itself.
 */
export function pgClient(
  pool: PgPool,
  { statementMs = 10_000, idleInTransactionMs = 10_000 }: PgTimeouts = {},
): SqlClient {
  const settings = `set statement_timeout = ${wholeMs(statementMs)}; set idle_in_transaction_session_timeout = ${wholeMs(idleInTransactionMs)}`;
  pool.on("connect", (connection) => {
    // A connection that cannot even take settings fails the statement that waits for it, and that is where it is reported.
    connection.query(settings).catch(() => undefined);
  });
  // The server ended a connection nobody was using: the pool drops it. Without a listener this would end the process.
  pool.on("error", () => undefined);
  return {
    ...queriesOf(pool),
    transaction: (work) => transaction(pool, work),
    close: () => pool.end(),
  };
}

function queriesOf(queryable: Pick<PgPool, "query">): SqlQueries {
  return {
    query: async ({ name, text }, values) =>
      (await queryable.query({ name, text, values: [...values] })).rows,
    script: async (text) => {
      await queryable.query({ text });
    },
  };
}

async function transaction<T>(
  pool: Pick<PgPool, "connect">,
  work: (queries: SqlQueries) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect();
  let broken = false;
  try {
    await connection.query("begin");
    const result = await work(queriesOf(connection));
    await connection.query("commit");
    return result;
  } catch (error) {
    await connection.query("rollback").catch(() => {
      // Nobody knows what state it is in, so nobody may get it again.
      broken = true;
    });
    throw error;
  } finally {
    connection.release(broken);
  }
}

function wholeMs(ms: number): number {
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new RangeError("A time-out is a whole number of milliseconds, 0 or more.");
}
