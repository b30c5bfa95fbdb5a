import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Creates `dataDir` with a `.gitignore`, because its files contain secrets.
 *
 * An existing folder stays as it is: it may be a project of the user. Ignores a failure, because
 * `openStorage` then fails and reports it.
 */
export async function createDataDir(dataDir: string): Promise<void> {
  try {
    const created = await mkdir(dataDir, { recursive: true, mode: 0o700 });
    if (created !== undefined) await writeFile(join(dataDir, ".gitignore"), "*\n");
  } catch {
    return;
  }
}
