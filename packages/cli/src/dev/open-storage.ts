import { existsSync } from "node:fs";
import { join } from "node:path";
import { migrate, pgClient, type SqlClient } from "@tillkit/postgres";
import { lockFolder, openEmbedded } from "@tillkit/postgres/pglite";
import { valueOrTimeout } from "@tillkit/runtime";
import pg from "pg";
import { createDataDir } from "./create-data-dir.js";
import { unwrapOrExit } from "./unwrap-or-exit.js";

/** The schema of all tables. */
export const SCHEMA = "tillkit";

/** The prepared snapshot of the database. */
export const SNAPSHOT = "database.snapshot";

/** The storage of a host. */
export interface Storage {
  readonly sql: SqlClient;
  /** A client with a long timeout, for the preparation of the database at the start. */
  readonly preparing: SqlClient;
  /** Names the database in messages, without credentials. */
  readonly name: string;
  /** Runs `work` while no other host on this database runs exclusive work. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Closes the database and releases `dataDir`. */
  close(): Promise<void>;
}

/** Which storage to open. */
export interface StorageOptions {
  /** The folder, which this process locks and creates if it is missing. */
  readonly dataDir: string;
  /** The URL of a PostgreSQL database. If it is absent or empty, the database is in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The folder with the prepared files. */
  readonly prepared?: string | undefined;
  /** Reports slow steps. */
  readonly print: (text: string) => void;
}

/** Opens the database and migrates its schema. Rejects with one line for the operator. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  await createDataDir(options.dataDir);
  const storage = await (options.databaseUrl
    ? openServer(options.dataDir, options.databaseUrl)
    : openFolder(options));
  try {
    unwrapOrExit(
      `The database ${storage.name} cannot be used`,
      await migrate({ sql: storage.preparing, schema: SCHEMA }),
    );
    return storage;
  } catch (problem) {
    await storage.close();
    throw problem;
  }
}

async function openFolder({ dataDir, prepared, print }: StorageOptions): Promise<Storage> {
  if (!existsSync(join(dataDir, "database"))) print(`Creating a database in ${dataDir} (first start only) …`);
  const sql = unwrapOrExit(
    "database",
    await openEmbedded(dataDir, prepared === undefined ? {} : { snapshot: join(prepared, SNAPSHOT) }),
  );
  // The lock on the folder excludes all other hosts.
  return {
    sql,
    preparing: sql,
    name: `in ${dataDir}`,
    exclusively: (work) => work(),
    close: () => sql.close(),
  };
}

/**
 * Timeouts of a request's connection and of the answer to one statement, in milliseconds.
 *
 * They take effect if the server does not respond.
 */
const CONNECT_MS = 5_000;
const ANSWER_MS = 7_000;
/**
 * Timeout of a statement at the server, in milliseconds.
 *
 * It is shorter than `ANSWER_MS`, so the server ends the statement first.
 */
const STATEMENT_MS = 5_000;
/**
 * Timeout of preparing the database, in milliseconds.
 *
 * This host may have to wait while other hosts prepare the database. Each of them takes seconds.
 */
const PREPARE_MS = 120_000;
/** How long a stopping host waits for the database, in milliseconds. */
const PATIENCE = 2_000;

async function openServer(dataDir: string, databaseUrl: string): Promise<Storage> {
  const { host, pathname } = new URL(databaseUrl);
  const lock = unwrapOrExit("folder", await lockFolder(dataDir));
  const clientOf = (max: number, query_timeout: number) =>
    pgClient(
      new pg.Pool({
        connectionString: databaseUrl,
        max,
        connectionTimeoutMillis: CONNECT_MS,
        query_timeout,
      }),
      { connectMs: CONNECT_MS, statementMs: STATEMENT_MS },
    );
  const sql = clientOf(10, ANSWER_MS);
  const preparing = clientOf(1, PREPARE_MS);
  return {
    sql,
    preparing,
    name: `at ${host}${pathname}`,
    exclusively: (work) =>
      preparing.transaction(async (transaction) => {
        // No timeouts: the lock may wait for several other hosts, and this connection is idle
        // during `work`.
        await transaction.script(
          `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
           select pg_advisory_xact_lock(hashtextextended('tillkit dev', 0))`,
        );
        return work();
      }),
    close: async () => {
      // A server that does not respond never releases a connection. The connections end with the
      // process.
      await valueOrTimeout(Promise.all([sql.close(), preparing.close()]), PATIENCE);
      await lock.release();
    },
  };
}
