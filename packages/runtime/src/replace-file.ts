import { open, readlink, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorCode } from "@tillkit/core/errors";

/** The methods of a `FileHandle` used here. So the published types need no types of Node. */
interface DraftHandle {
  sync(): Promise<void>;
  close(): Promise<void>;
  stat(): Promise<{ readonly uid: number; readonly gid: number }>;
  chown(uid: number, gid: number): Promise<void>;
  chmod(mode: number): Promise<void>;
}

/** A new file that will get the name of another file. */
export interface Draft {
  readonly path: string;
  readonly handle: DraftHandle;
}

/** The largest number of links that Linux follows. */
const MAX_LINKS = 40;

/**
 * Follows symbolic links from `path`, and returns the path of the file to change.
 *
 * A rename onto a link would replace the link, and leave its target unchanged. If the target is
 * missing, the result is the path at which to create the target.
 *
 * @returns the path without links in its last part. Rejects with `ELOOP` if there are more than 40
 *   links.
 * @example
 * ```ts
 * import { followLinks } from "@tillkit/runtime";
 *
 * const target = await followLinks("/etc/shop/keys.json");
 * ```
 */
export async function followLinks(path: string): Promise<string> {
  let target = resolve(path);
  for (let links = 0; links <= MAX_LINKS; links += 1) {
    const next = await linkAt(target);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  throw Object.assign(new Error(`too many symbolic links at ${path}`), { code: "ELOOP" });
}

async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    // `EINVAL`: the path is no link. Windows returns `UNKNOWN` for some files.
    if (["EINVAL", "ENOENT", "UNKNOWN"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

/**
 * Replaces the file `target` with a written draft in one step, and closes the draft.
 *
 * If `target` exists, the draft gets its owner, group and mode, so that the same users can read the
 * new file. After a power failure the file has either the old or the new content. If the rename or
 * a step before the rename fails, the draft is deleted and `target` is unchanged.
 */
export async function replaceFile({ path, handle }: Draft, target: string): Promise<void> {
  try {
    try {
      await takeOwnerAndMode(handle, target);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(path, target);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  await flushFolder(target);
}

async function takeOwnerAndMode(handle: DraftHandle, target: string): Promise<void> {
  const former = await stat(target).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (former === undefined) return;
  const { uid, gid, mode } = former;
  const made = await handle.stat();
  if (uid !== made.uid || gid !== made.gid) await handle.chown(uid, gid);
  await handle.chmod(mode & 0o777);
}

/** Flushes the folder of `path`, so that the file name survives a power failure. */
export async function flushFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and stores names without a flush.
  if (process.platform === "win32") return;
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
