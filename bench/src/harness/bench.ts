import { totalmem } from "node:os";
import { createDatabase, startPostgres } from "@tillkit/local-postgres";

/** What rows are given. */
export interface Bench {
  /** Small amounts of data, to see that everything runs. */
  readonly quick: boolean;
  /** How long each contestant will work in all, the warm-up included, milliseconds. */
  readonly playMs: number;
  /** Options for the Node of our own servers. */
  readonly nodeOptions: readonly string[];
  /** An empty database on the server all rows share. */
  readonly database: () => Promise<string>;
  readonly close: () => Promise<void>;
}

/** As a production server would be set: what was committed outlives the machine, and a quarter of the memory is for what was read, as PostgreSQL's manual advises. */
const SETTINGS = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`,
  max_wal_size: "4GB",
};

/** A bench whose PostgreSQL server starts when the first row asks for it. */
export function openBench(told: Pick<Bench, "quick" | "playMs" | "nodeOptions">): Bench {
  let server: ReturnType<typeof startPostgres> | undefined;
  return {
    ...told,
    database: async () => {
      server ??= startPostgres({ settings: SETTINGS });
      return createDatabase((await server).url);
    },
    close: async () => {
      await (await server)?.stop();
    },
  };
}
