import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";

/** Gives `work` an empty folder and removes it afterwards, also when the work fails. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(`${tmpdir()}/tillkit-`);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
