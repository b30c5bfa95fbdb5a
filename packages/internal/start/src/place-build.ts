import { existsSync } from "node:fs";
import { copyFile, link, rename, rm } from "node:fs/promises";

/** Moves a complete build to `folder`, or deletes it if another process has built `folder`. */
export async function placeBuild(building: string, folder: string): Promise<void> {
  try {
    await rename(building, folder);
  } catch (problem) {
    if (!existsSync(folder)) throw problem;
    await rm(building, { recursive: true });
  }
}

/** Creates `to` as a link of the file `from`, or as its copy if the file system has no links. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}
