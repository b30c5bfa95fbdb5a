import { randomBytes } from "node:crypto";
import { orThrow, type Stores } from "@tillkit/core";
import { createDatabase, startPostgres } from "@tillkit/local-postgres";
import { memoryStores } from "@tillkit/memory";
import { DISTRIBUTION_COLUMNS, migrate, pgClient, postgresStores } from "@tillkit/postgres";
import pg from "pg";
import { z } from "zod";

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

/** A migrated schema of a database that exists already. */
const existing = z.object({ url: z.string(), schema: z.string() });
/** A migrated schema of a database that exists already. */
export type ExistingSchema = z.infer<typeof existing>;

/**
 * Opens a storage.
 *
 * For `postgres` it uses the schema `given`, or starts a server, which `close` stops.
 */
export async function openStorage(name: StorageName, given?: ExistingSchema): Promise<Storage> {
  if (name === "memory") return { address: IN_MEMORY, close: async () => undefined };
  if (given !== undefined) return { address: JSON.stringify(given), close: async () => undefined };
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
  if (address.startsWith("{")) return existingSchemaOpener(existing.parse(JSON.parse(address)));
  const databaseUrl = await createDatabase(address);
  const sql = pgClient(new pg.Pool({ connectionString: databaseUrl }));
  const schema = "simulated";
  const credentialKeys = [{ version: 1, key: randomBytes(32) }];
  return {
    open: async () => {
      await sql.script(`drop schema if exists ${schema} cascade`);
      await orThrow(migrate({ sql, schema }));
      return postgresStores({ sql, schema, credentialKeys });
    },
    close: () => sql.close(),
  };
}

/** Empties the tables of a schema for each run. Nothing else may use the schema. */
function existingSchemaOpener({ url, schema }: ExistingSchema): StoreOpener {
  const sql = pgClient(new pg.Pool({ connectionString: url }));
  const credentialKeys = [{ version: 1, key: randomBytes(32) }];
  const { schema_migrations: _kept, ...tables } = DISTRIBUTION_COLUMNS;
  const empty = Object.keys(tables).map((table) => `delete from ${schema}.${table};`);
  return {
    open: async () => {
      await sql.script(empty.join("\n"));
      return postgresStores({ sql, schema, credentialKeys });
    },
    close: () => sql.close(),
  };
}
