import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

/**
 * Returns the data directory of a new PGlite database, for the option `loadDataDir`.
 *
 * Loading it takes a third of the time that PGlite needs to create a database. The first call
 * stores the snapshot on the disk. Another version of PGlite gets another snapshot.
 */
export async function embeddedSnapshot(): Promise<Blob> {
  const file = join(CACHE, `pglite.${await installedVersion()}.tar`);
  if (existsSync(file)) return new Blob([await readFile(file)]);
  const database = await PGlite.create();
  const made = await database.dumpDataDir("none");
  await database.close();
  await mkdir(CACHE, { recursive: true });
  // Concurrent calls may create the same file. With the rename, no call reads an incomplete file.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, Buffer.from(await made.arrayBuffer()));
  await rename(draft, file);
  return made;
}

/** Returns a hash of the manifest of the installed PGlite, which changes with its version. */
async function installedVersion(): Promise<string> {
  const main = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const manifest = await readFile(join(dirname(main), "..", "package.json"));
  return createHash("sha256").update(manifest).digest("hex").slice(0, 16);
}
