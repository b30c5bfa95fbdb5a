import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";

/** Runs `work` with an empty folder and removes the folder afterwards, also after a failure. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(`${tmpdir()}/tillkit-`);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
