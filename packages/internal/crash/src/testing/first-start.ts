import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@tillkit/local-postgres";
import { startQuickstart } from "@tillkit-examples/quickstart/start-quickstart";

/** What a host left that was started once on a server and stopped: where later starts begin, without making keys, tables and demo data again. */
export interface FirstStart {
  /** Copies its files to `dataDir`, which is made, and its database. Gives the URL of the new database. */
  copyTo(dataDir: string): Promise<string>;
  /** Removes its files. */
  clean(): Promise<void>;
}

/** Starts a host for the first time, on a new database of the server at `serverUrl`, and stops it. */
export async function firstStart(serverUrl: string): Promise<FirstStart> {
  const dataDir = await mkdtemp(join(tmpdir(), "first-start-"));
  const databaseUrl = await createDatabase(serverUrl);
  const host = await startQuickstart({ port: 0, dataDir, databaseUrl, print: () => undefined });
  await host.close();
  return {
    copyTo: async (copy) => {
      // A lock is its own folder's, even one that nobody holds.
      await cp(dataDir, copy, { recursive: true, filter: (path) => path !== join(dataDir, "lock") });
      return createDatabase(serverUrl, new URL(databaseUrl).pathname.slice(1));
    },
    clean: () => rm(dataDir, { recursive: true }),
  };
}
