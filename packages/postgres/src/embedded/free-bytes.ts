import { statfs } from "node:fs/promises";

/** Returns the free bytes on the disk of `path`. Rejects with the error of Node. */
export async function freeBytes(path: string): Promise<number> {
  return freeOf(await statfs(path));
}

/**
 * Returns the free bytes of a file system from its statistics.
 *
 * A file system with no blocks, such as a tmpfs without a size, does not count them. It is never
 * full.
 */
export function freeOf(said: Record<"blocks" | "bavail" | "bsize", number>): number {
  return said.blocks === 0 ? Infinity : said.bavail * said.bsize;
}
