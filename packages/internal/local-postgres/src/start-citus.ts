import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { type LocalPostgres, startPostgres } from "./start-postgres.js";

/** A running Citus cluster of one coordinator and two workers. */
export interface LocalCitus {
  /** The URL of the coordinator's database for the superuser. */
  readonly url: string;
  readonly coordinator: LocalPostgres;
  readonly workers: readonly LocalPostgres[];
  /** Stops all nodes and deletes their data. */
  readonly stop: () => Promise<void>;
}

const SETTINGS = {
  shared_preload_libraries: "citus",
  "citus.node_conninfo": "sslmode=disable",
  max_prepared_transactions: "200",
  max_locks_per_transaction: "512",
  shared_buffers: "64MB",
  jit: "off",
};

/**
 * Returns the folder of PostgreSQL programs that have the Citus extension, or `undefined`.
 *
 * @param programs - the folder to look at. Defaults to that of the `pg_config` in the path.
 */
export async function findCitus(programs?: string): Promise<string | undefined> {
  const config = programs === undefined ? "pg_config" : join(programs, "pg_config");
  try {
    const { stdout } = await promisify(execFile)(config, ["--bindir", "--sharedir"]);
    const [bin = "", share = ""] = stdout.trim().split("\n");
    await access(join(share, "extension", "citus.control"));
    return bin;
  } catch {
    return undefined;
  }
}

/**
 * Starts a Citus cluster in temporary folders. Committed data survives a kill of a node.
 *
 * @param programs - the folder of PostgreSQL programs that have the extension.
 */
export async function startCitus(programs: string): Promise<LocalCitus> {
  const nodes: LocalPostgres[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    const start = async (): Promise<LocalPostgres> => {
      const node = await startPostgres({ programs, durable: true, trust: true, settings: SETTINGS });
      nodes.push(node);
      await query(node.url, "create extension citus");
      return node;
    };
    const [coordinator, ...workers] = await Promise.all([start(), start(), start()]);
    const { hostname, port } = new URL(coordinator.url);
    await query(coordinator.url, `select citus_set_coordinator_host('${hostname}', ${port})`);
    for (const worker of workers) {
      const at = new URL(worker.url);
      await query(coordinator.url, `select citus_add_node('${at.hostname}', ${at.port})`);
    }
    return { url: coordinator.url, coordinator, workers, stop };
  } catch (cause) {
    await stop();
    throw new Error("The Citus cluster did not start.", { cause });
  }
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
