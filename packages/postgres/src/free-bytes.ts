import { statfs } from "node:fs/promises";

/** Bytes that can still be written to the disk of `path`. Rejects with what Node rejects with. */
export async function freeBytes(path: string): Promise<number> {
  return freeOf(await statfs(path));
}

/** Free bytes by what a file system says of itself. One without any blocks, like a tmpfs of no set size, does not count them: it never says that it is full. */
export function freeOf(said: Record<"blocks" | "bavail" | "bsize", number>): number {
  return said.blocks === 0 ? Infinity : said.bavail * said.bsize;
}
