import pg from "pg";
import { z } from "zod";
import { parentOf, serverCpu } from "./proc.js";

/** What the hosts of a row use of their database server. */
export interface DatabaseUsage {
  /** Resolves with the processor time of the whole server so far, in microseconds. */
  readonly cpu: () => Promise<number>;
  /** Resolves with the number of connections that the processes of a host have. */
  readonly connections: (application: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

const backend = z.object({ pid: z.int() });
const counted = z.object({ connections: z.int() });

/** Connects to the server of `databaseUrl`, which must run on this machine. Needs Linux. */
export async function openDatabaseUsage(databaseUrl: string): Promise<DatabaseUsage> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const server = await parentOf(backend.parse(rows[0]).pid);
  return {
    cpu: () => serverCpu(server),
    connections: async (application) => {
      const found = await client.query(
        "select count(*)::int as connections from pg_stat_activity where application_name like $1 || '%'",
        [application],
      );
      return counted.parse(found.rows[0]).connections;
    },
    close: () => client.end(),
  };
}
