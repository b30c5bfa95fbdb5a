import type { SqlRow, SqlStatement } from "./sql-client.js";

/** A statement as `pg` takes it. */
export interface PgQuery extends Partial<SqlStatement> {
  text: string;
  values?: unknown[];
}

/** What this package uses of a connection of `pg`. */
export interface PgConnection {
  query(query: PgQuery): Promise<{ rows: SqlRow[] }>;
  query(text: string): Promise<unknown>;
  on(event: "error", listener: () => void): unknown;
  release(broken?: boolean): void;
}

/** What this package uses of a `Pool` of `pg`. */
export interface PgPool {
  connect(): Promise<PgConnection>;
  on(event: "error", listener: () => void): unknown;
  on(event: "connect", listener: (connection: Pick<PgConnection, "on">) => void): unknown;
  end(): Promise<void>;
}

/** How to lend connections. */
export interface LendingOptions {
  /** How long to wait for a connection, in milliseconds. */
  readonly connectMs: number;
  /** What each connection is told before its first use. */
  readonly settings?: string;
}

/** Lends a connection for `work`. When that rejects, nobody gets the connection again, unless `work` said by `keep` that it is sound all the same. */
export type Lend = <T>(work: (connection: PgConnection, keep: () => void) => Promise<T>) => Promise<T>;

/** Lends connections of `pool`, each to one at a time. None that is lost takes the process with it, whether it is in use or not. */
export function lending(pool: PgPool, { connectMs, settings }: LendingOptions): Lend {
  const known = new WeakSet<PgConnection>();
  // The server ended a connection nobody was using: the pool drops it. Without a listener this would end the process.
  pool.on("error", () => undefined);
  // The same for one that is in use, between two statements: the next one reports it. It may be ended in the breath that opens it, before anybody was lent it.
  pool.on("connect", (connection) => {
    connection.on("error", () => undefined);
  });
  return async (work) => {
    const connection = await acquire(pool, connectMs);
    let broken = true;
    try {
      if (!known.has(connection)) {
        if (settings !== undefined) await connection.query(settings);
        known.add(connection);
      }
      const keep = (): void => {
        broken = false;
      };
      const result = await work(connection, keep);
      keep();
      return result;
    } finally {
      connection.release(broken);
    }
  };
}

function acquire(pool: PgPool, connectMs: number): Promise<PgConnection> {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(
        new Error(
          `No connection to the database was free within ${connectMs} ms: make the pool larger, or find what keeps its connections.`,
        ),
      );
    }, connectMs);
    pool
      .connect()
      .then((connection) => {
        if (late) connection.release();
        else resolve(connection);
      }, reject)
      .finally(() => {
        clearTimeout(timer);
      });
  });
}
