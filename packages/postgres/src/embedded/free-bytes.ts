import { statfs } from "node:fs/promises";

/** Returns the free bytes on the disk of `path`. Rejects with the error of Node. */
export async function freeBytes(path: string): Promise<number> {
  return freeOf(await statfs(path));
}

/**
 * Returns the free bytes of a file system from its statistics.
 *
 * A file system that reports 0 blocks, such as a tmpfs without a size limit, does not count them.
 * Then the result is `Infinity`.
 */
export function freeOf(said: Record<"blocks" | "bavail" | "bsize", number>): number {
  return said.blocks === 0 ? Infinity : said.bavail * said.bsize;
}
