import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@tillkit/local-postgres";
import { startQuickstart } from "@tillkit-examples/quickstart/start-quickstart";

/**
 * The files and the database of a host after its first start.
 *
 * Tests copy them instead of creating keys, tables and demo data again.
 */
export interface FirstStart {
  /** Copies the files to a new folder `dataDir` and the database to a new one. Returns its URL. */
  copyTo(dataDir: string): Promise<string>;
  /** Removes the files. */
  clean(): Promise<void>;
}

/** Starts and stops a host on a new database of the server at `serverUrl`. */
export async function firstStart(serverUrl: string): Promise<FirstStart> {
  const dataDir = await mkdtemp(join(tmpdir(), "first-start-"));
  const databaseUrl = await createDatabase(serverUrl);
  const host = await startQuickstart({ port: 0, dataDir, databaseUrl, print: () => undefined });
  await host.close();
  return {
    copyTo: async (copy) => {
      // A lock belongs to its folder, even if no process holds it.
      await cp(dataDir, copy, { recursive: true, filter: (path) => path !== join(dataDir, "lock") });
      return createDatabase(serverUrl, new URL(databaseUrl).pathname.slice(1));
    },
    clean: () => rm(dataDir, { recursive: true }),
  };
}
