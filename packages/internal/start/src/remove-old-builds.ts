import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** How many builds are kept, for example for changes between two branches. */
const KEPT = 5;
/** From this age in milliseconds, the process of an unfinished build or file counts as killed. */
const DEAD_AFTER = 3_600_000;
/** Folders and files that get another name when they are complete. */
const UNFINISHED = /^building-|\.snapshot\.|\.jsonl\./;

/**
 * Deletes old builds beside the build `folder`, old snapshots, and what killed builds have left.
 *
 * Other processes may build, and delete, at the same time.
 */
export async function removeOldBuilds(folder: string): Promise<void> {
  const builds = dirname(folder);
  const names = (await readdir(builds)).filter((name) => name !== basename(folder));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: await changedAt(join(builds, name)) })),
  );
  const newestFirst = dated.sort((a, b) => b.at - a.at);
  const old = [
    ...newestFirst.filter(({ name, at }) => UNFINISHED.test(name) && at < Date.now() - DEAD_AFTER),
    ...newestFirst.filter(({ name }) => /^[0-9a-f]+$/.test(name)).slice(KEPT - 1),
    ...newestFirst.filter(({ name }) => name.endsWith(".snapshot")).slice(KEPT),
  ];
  for (const { name } of old) await rm(join(builds, name), { recursive: true, force: true });
}

/**
 * Returns when a file or folder last changed, in epoch milliseconds. Returns the current time if it
 * is gone.
 */
async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
}
