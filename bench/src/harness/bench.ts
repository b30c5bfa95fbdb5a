import { totalmem } from "node:os";
import { orThrow } from "@tillkit/core";
import { createDatabase, startPostgres } from "@tillkit/local-postgres";
import { migrate, pgClient } from "@tillkit/postgres";
import pg from "pg";
import { SCHEMA } from "../shop/shop-facts.js";

/** The settings and the database server that rows receive. */
export interface Bench {
  /** Uses small amounts of data, for rough figures in a short time. */
  readonly quick: boolean;
  /** Node options for the servers that run Tillkit. */
  readonly nodeOptions: readonly string[];
  /** Creates a database with Tillkit's tables on the server that all rows share. */
  readonly database: () => Promise<string>;
  /** Calls `end` at the end of the run, before the database server stops. */
  readonly atClose: (end: () => Promise<void>) => void;
  readonly close: () => Promise<void>;
}

/**
 * Server settings as in production, where commits survive a failure of the machine.
 *
 * PostgreSQL's manual advises a quarter of the memory for shared buffers.
 */
const SETTINGS = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`,
  max_wal_size: "4GB",
};

/** Creates a bench whose PostgreSQL server starts when the first row needs it. */
export function openBench(options: Pick<Bench, "quick" | "nodeOptions">): Bench {
  let server: ReturnType<typeof startPostgres> | undefined;
  let template: Promise<string> | undefined;
  const ends: (() => Promise<void>)[] = [];
  return {
    ...options,
    database: async () => {
      server ??= startPostgres({ settings: SETTINGS });
      const { url } = await server;
      // Copying a database is faster than all migrations.
      template ??= migratedDatabase(url);
      return createDatabase(url, await template);
    },
    atClose: (end) => ends.push(end),
    close: async () => {
      for (const end of ends) await end();
      await (await server)?.stop();
    },
  };
}

/** Creates a database with Tillkit's tables, and returns its name. */
async function migratedDatabase(serverUrl: string): Promise<string> {
  const url = await createDatabase(serverUrl);
  const sql = pgClient(new pg.Pool({ connectionString: url, max: 1 }));
  await orThrow(migrate({ sql, schema: SCHEMA }));
  await sql.close();
  return new URL(url).pathname.slice(1);
}

/**
 * Creates a function that opens something once per run and key, for the rows that share it.
 *
 * @param open - opens it, and uses `atClose` to close it at the end of the run.
 */
export function oncePerBench<K extends string | number, T>(
  open: (bench: Bench, key: K) => Promise<T>,
): (bench: Bench, key: K) => Promise<T> {
  const opened = new WeakMap<Bench, Map<K, Promise<T>>>();
  return (bench, key) => {
    const ofBench = opened.get(bench) ?? new Map<K, Promise<T>>();
    opened.set(bench, ofBench);
    const found = ofBench.get(key) ?? open(bench, key);
    ofBench.set(key, found);
    return found;
  };
}
