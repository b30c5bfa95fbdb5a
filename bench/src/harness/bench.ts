import { totalmem } from "node:os";
import { createDatabase, startPostgres } from "@tillkit/local-postgres";

/** The settings and the database server that rows receive. */
export interface Bench {
  /** Uses small amounts of data, to check that everything runs. */
  readonly quick: boolean;
  /** How long each contestant runs in total, in milliseconds, including the warm-up. */
  readonly playMs: number;
  /** Node options for the servers that run Tillkit. */
  readonly nodeOptions: readonly string[];
  /** Creates an empty database on the server that all rows share. */
  readonly database: () => Promise<string>;
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
export function openBench(options: Pick<Bench, "quick" | "playMs" | "nodeOptions">): Bench {
  let server: ReturnType<typeof startPostgres> | undefined;
  return {
    ...options,
    database: async () => {
      server ??= startPostgres({ settings: SETTINGS });
      return createDatabase((await server).url);
    },
    close: async () => {
      await (await server)?.stop();
    },
  };
}
