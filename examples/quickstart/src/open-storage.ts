import { existsSync } from "node:fs";
import { join } from "node:path";
import { migrate, pgClient, type SqlClient } from "@tillkit/postgres";
import { lockFolder, openEmbedded } from "@tillkit/postgres/pglite";
import pg from "pg";
import { must } from "./must.js";
import { within } from "./within.js";

/** The schema everything is in. */
export const SCHEMA = "tillkit";

/** Where a host keeps what it must not forget. */
export interface Storage {
  readonly sql: SqlClient;
  /** For what may take long when a host starts. */
  readonly preparing: SqlClient;
  /** Names the database in messages, without credentials. */
  readonly name: string;
  /** Runs `work` while no other host on this database runs any. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Lets go of the database and of `dataDir`. */
  close(): Promise<void>;
}

/** Which storage to open. */
export interface StorageOptions {
  /** For this process alone from now on; made when it is missing. */
  readonly dataDir: string;
  /** A PostgreSQL server's database; absent or empty for one kept in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Hears of what takes long. */
  readonly print: (text: string) => void;
}

/** Opens the database and brings its schema up to date. Rejects with one line for the person who starts the host. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const storage = await (options.databaseUrl
    ? openServer(options.dataDir, options.databaseUrl)
    : openFolder(options));
  try {
    must(
      `The database ${storage.name} cannot be used`,
      await migrate({ sql: storage.preparing, schema: SCHEMA }),
    );
    return storage;
  } catch (problem) {
    await storage.close();
    throw problem;
  }
}

async function openFolder({ dataDir, print }: StorageOptions): Promise<Storage> {
  if (!existsSync(join(dataDir, "database"))) print(`Making a database in ${dataDir}, once …`);
  const sql = must("database", await openEmbedded(dataDir));
  // Nobody else has the folder.
  return {
    sql,
    preparing: sql,
    name: `in ${dataDir}`,
    exclusively: (work) => work(),
    close: () => sql.close(),
  };
}

/**
 * How long a request waits for a connection, and for the answer to one statement, in milliseconds.
 *
 * The server may be frozen.
 */
const CONNECT_MS = 5_000;
const ANSWER_MS = 7_000;
/** How long a statement may take at the server: less, so that the server usually ends it. */
const STATEMENT_MS = 5_000;
/** The same for preparing the database: other hosts may do it first, and each takes seconds. */
const PREPARE_MS = 120_000;
/** How long a stopping host waits for the database, in milliseconds. */
const PATIENCE = 2_000;

async function openServer(dataDir: string, databaseUrl: string): Promise<Storage> {
  const { host, pathname } = new URL(databaseUrl);
  const lock = must("folder", await lockFolder(dataDir));
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
        // Nine others may be in front, and this connection has nothing to do meanwhile.
        await transaction.script(
          `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
           select pg_advisory_xact_lock(hashtextextended('tillkit quickstart', 0))`,
        );
        return work();
      }),
    close: async () => {
      // A frozen server gives no connection back. The process ends all the same, and its
      // connections with it.
      await within(PATIENCE, Promise.all([sql.close(), preparing.close()]));
      await lock.release();
    },
  };
}
