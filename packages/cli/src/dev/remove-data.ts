import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { lockFolder } from "@tillkit/postgres/pglite";
import { unwrapOrExit } from "./unwrap-or-exit.js";

/** The files by which a host marks its folder. They are deleted last. */
const MARKS = ["sandbox.jsonl", "host.json"];
const DATA = ["database", "keys.json", "session.json"];

/**
 * Deletes the data of earlier hosts in `dataDir`. Other files stay.
 *
 * Rejects if a process uses the folder, or if the folder was not written by a development host.
 */
export async function removeData(dataDir: string): Promise<void> {
  const has = (name: string) => existsSync(join(dataDir, name));
  if (![...DATA, ...MARKS].some(has)) return;
  if (!MARKS.some(has))
    throw new Error(
      `The folder ${dataDir} has data that no complete start of tillkit dev has left. Nothing was deleted. Choose another folder with --data-dir, or delete the folder yourself.`,
    );
  const lock = unwrapOrExit("folder", await lockFolder(dataDir));
  try {
    for (const name of [...DATA, ...MARKS]) await rm(join(dataDir, name), { recursive: true, force: true });
  } finally {
    await lock.release();
  }
}
