import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A disk of some megabytes. */
export interface SmallDisk {
  /** An empty folder on the disk. PostgreSQL may write to it. */
  readonly folder: string;
  /** Fills the disk up. */
  fill(): Promise<void>;
  remove(): Promise<void>;
}

/** Mounts a small disk, or returns `undefined` if this process may not mount one. */
export async function mountSmallDisk(): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-disk-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=64m,mode=755", "tmpfs", folder]);
  } catch {
    await remove();
    return undefined;
  }
  const data = join(folder, "data");
  await run("install", ["-d", "-o", "nobody", "-m", "700", data]);
  await chmod(folder, 0o755);
  return {
    folder: data,
    fill: async () => {
      // The kernel stops the write at the last free byte.
      await writeFile(join(folder, "everything-else"), Buffer.alloc(64 * 1_048_576)).catch(() => undefined);
    },
    remove: async () => {
      await run("umount", [folder]);
      await remove();
    },
  };
}
