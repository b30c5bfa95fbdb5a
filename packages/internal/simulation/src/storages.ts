import { randomBytes } from "node:crypto";
import type { Stores } from "@tillkit/core";
import { createDatabase, startPostgres } from "@tillkit/local-postgres";
import { memoryStores } from "@tillkit/memory";
import { migrate, pgClient, postgresStores } from "@tillkit/postgres";
import pg from "pg";

/** The storages that runs can use. */
export const STORAGES = ["memory", "postgres"] as const;
/** The name of a storage. */
export type StorageName = (typeof STORAGES)[number];

/** A storage that job processes can open. */
export interface Storage {
  /** The argument of {@link storeOpener} in a job. */
  readonly address: string;
  readonly close: () => Promise<void>;
}

const IN_MEMORY = "memory";

/** Opens a storage. For `postgres` it starts a server, which `close` stops. */
export async function openStorage(name: StorageName): Promise<Storage> {
  if (name === "memory") return { address: IN_MEMORY, close: async () => undefined };
  const server = await startPostgres();
  return { address: server.url, close: () => server.stop() };
}

/** Opens empty stores for each run. */
export interface StoreOpener {
  readonly open: () => Promise<Stores>;
  readonly close: () => Promise<void>;
}

/** Creates an opener of stores at `address`. */
export async function storeOpener(address: string): Promise<StoreOpener> {
  if (address === IN_MEMORY) return { open: async () => memoryStores(), close: async () => undefined };
  const databaseUrl = await createDatabase(address);
  const sql = pgClient(new pg.Pool({ connectionString: databaseUrl }));
  const schema = "simulated";
  const credentialKeys = [{ version: 1, key: randomBytes(32) }];
  return {
    open: async () => {
      await sql.script(`drop schema if exists ${schema} cascade`);
      (await migrate({ sql, schema }))._unsafeUnwrap();
      return postgresStores({ sql, schema, credentialKeys });
    },
    close: () => sql.close(),
  };
}
