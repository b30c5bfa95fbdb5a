import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Copies the file `name` of the folder `prepared` into `dataDir`, unless `dataDir` contains it.
 *
 * The copy appears when it is complete, and only its owner can read it. A failure is ignored,
 * because the host creates every missing file.
 */
export async function copyPrepared(
  prepared: string | undefined,
  dataDir: string,
  name: string,
): Promise<void> {
  const file = join(dataDir, name);
  if (prepared === undefined || existsSync(file)) return;
  const unfinished = `${file}.${String(process.pid)}.tmp`;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await copyFile(join(prepared, name), unfinished);
    await chmod(unfinished, 0o600);
    await rename(unfinished, file);
  } catch {
    await rm(unfinished, { force: true });
  }
}
