import type { PINNED_TYPES } from "./pinned-types.js";
import type { SqlRow, SqlStatement } from "../sql/sql-client.js";

/** A statement in the format of `pg`. */
export interface PgQuery extends Partial<SqlStatement> {
  text: string;
  values?: unknown[];
  types?: typeof PINNED_TYPES;
}

/** The part of a `pg` connection that this package uses. */
export interface PgConnection {
  query(query: PgQuery): Promise<{ rows: SqlRow[] }>;
  query(text: string): Promise<unknown>;
  on(event: "error", listener: () => void): unknown;
  release(broken?: boolean): void;
}

/** The part of a `pg` `Pool` that this package uses. */
export interface PgPool {
  /** `max` is the number of connections. */
  readonly options?: { readonly max?: number | undefined };
  connect(): Promise<PgConnection>;
  on(event: "error", listener: () => void): unknown;
  on(event: "connect", listener: (connection: Pick<PgConnection, "on">) => void): unknown;
  end(): Promise<void>;
}

/** Options for lending connections. */
export interface ConnectionLenderOptions {
  /** Timeout for getting a connection, in milliseconds. */
  readonly connectMs: number;
  /** SQL that configures each connection before its first use. */
  readonly settings?: string;
}

/**
 * Lends a connection for `work`.
 *
 * If `work` rejects, the connection is closed, unless `work` called `keep`.
 */
export type UseConnection = <T>(
  work: (connection: PgConnection, keep: () => void) => Promise<T>,
) => Promise<T>;

/** Creates a {@link UseConnection} over `pool`. A lost connection never ends the process. */
export function connectionLender(
  pool: PgPool,
  { connectMs, settings }: ConnectionLenderOptions,
): UseConnection {
  const known = new WeakSet<PgConnection>();
  // The pool reports that the server ended an idle connection, and drops it. Without a listener,
  // Node would end the process.
  pool.on("error", () => undefined);
  // The same for a connection in use: the next statement reports the error. The server may end the
  // connection before the pool lends it for the first time.
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
          `No connection to the database was free within ${connectMs} ms: enlarge the pool, or find the statements that hold its connections.`,
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
