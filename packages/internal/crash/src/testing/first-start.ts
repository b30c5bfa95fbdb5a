import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@tillkit/local-postgres";
import { startDevHost } from "../../../../cli/src/dev/start-dev-host.js";

/**
 * The files and the database of a host after its first start.
 *
 * Tests copy them instead of creating keys, tables and demo data again.
 */
export interface FirstStart {
  /** Copies the files to a new folder `dataDir` and the database to a new one. Returns its URL. */
  copyTo(dataDir: string): Promise<string>;
  /** Copies the files alone, to a new folder `dataDir`. */
  copyFilesTo(dataDir: string): Promise<void>;
  /** Removes the files. */
  clean(): Promise<void>;
}

/** Starts and stops a host on a new database of the server at `serverUrl`. */
export async function firstStart(serverUrl: string): Promise<FirstStart> {
  const dataDir = await mkdtemp(join(tmpdir(), "first-start-"));
  const databaseUrl = await createDatabase(serverUrl);
  const host = await startDevHost({ port: 0, dataDir, databaseUrl, print: () => undefined });
  await host.close();
  // A lock belongs to its folder, even if no process holds it.
  const filter = (path: string) => path !== join(dataDir, "lock");
  const copyFilesTo = (copy: string) => cp(dataDir, copy, { recursive: true, filter });
  return {
    copyFilesTo,
    copyTo: async (copy) => {
      await copyFilesTo(copy);
      return createDatabase(serverUrl, new URL(databaseUrl).pathname.slice(1));
    },
    clean: () => rm(dataDir, { recursive: true }),
  };
}
