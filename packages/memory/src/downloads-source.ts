import {
  type CountBatches,
  countProblem,
  type DailyCount,
  type DownloadsSource,
  firstProblem,
  isCount,
  isReservedStore,
  reservedStore,
  type StoreCounts,
  sumTooLarge,
  MAX_UNKNOWN_APPS_LISTED,
  unknownApp,
} from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { err, ok, ResultAsync } from "neverthrow";
import { frozen } from "./frozen.js";
import { compareText, getOrCreate, compositeKey, type MemoryState } from "./memory-state.js";
import { runAtomically } from "./run-atomically.js";

const DAY = 86_400_000;

/** Creates a `DownloadsSource` in memory. */
export function memoryDownloadsSource({
  apps,
  downloads,
}: Pick<MemoryState, "apps" | "downloads">): DownloadsSource {
  const countsOf = (appId: string): Map<string, DailyCount> =>
    getOrCreate(downloads, appId, () => new Map<string, DailyCount>());
  const put = (count: DailyCount) =>
    countsOf(count.appId).set(compositeKey(count.store, count.date), frozen(count));
  const isHeld = (count: DailyCount): boolean => {
    const stored = countsOf(count.appId).get(compositeKey(count.store, count.date));
    return stored?.newDownloads === count.newDownloads && stored.updateDownloads === count.updateDownloads;
  };
  return {
    read: (appId, start, end) => runAtomically(() => byStore(countsOf(appId).values(), start, end)),
    upsert: (batches) =>
      ResultAsync.fromThrowable(allOf, (cause): StorageFailure => ({ name: "storage.unavailable", cause }))(
        batches,
      ).andThen((counts) =>
        runAtomically(() => {
          if (counts.some(({ store }) => isReservedStore(store))) return err(reservedStore());
          const problem = firstProblem(counts);
          if (problem !== undefined) return err(problem);
          const unknown = [...new Set(counts.map(({ appId }) => appId))].filter((appId) => !apps.has(appId));
          if (unknown.length > 0)
            return err(unknownApp(...unknown.sort(compareText).slice(0, MAX_UNKNOWN_APPS_LISTED)));
          // If a day has two counts, only the later one is compared with the stored count.
          const latest = new Map(counts.map((count) => [keyOf(count), count]));
          const changed = [...latest.values()].filter((count) => !isHeld(count));
          changed.forEach(put);
          return ok({ written: counts.length, changed: changed.length });
        }).andThen((outcome) => outcome),
      ),
    increment: (count) =>
      runAtomically(() => {
        if (isReservedStore(count.store)) return err(reservedStore());
        const problem = countProblem(count);
        if (problem !== undefined) return err(problem);
        if (!apps.has(count.appId)) return err(unknownApp(count.appId));
        const before = countsOf(count.appId).get(compositeKey(count.store, count.date));
        const newDownloads = (before?.newDownloads ?? 0) + count.newDownloads;
        const updateDownloads = (before?.updateDownloads ?? 0) + count.updateDownloads;
        if (!isCount(newDownloads) || !isCount(updateDownloads)) return err(sumTooLarge());
        put({ ...count, newDownloads, updateDownloads });
        return ok();
      }).andThen((outcome) => outcome),
  };
}

/**
 * Returns the counts from `start` to `end`, with one entry per store.
 *
 * A report can have thousands of counts, so the loop visits each count once and parses each date
 * once.
 */
function byStore(counts: Iterable<DailyCount>, start: string, end: string): readonly StoreCounts[] {
  const first = Date.parse(start);
  const distances = new Map<string, number>();
  const stores = new Map<string, { days: number[]; newDownloads: number[]; updateDownloads: number[] }>();
  for (const { store, date, newDownloads, updateDownloads } of counts) {
    if (date < start || end < date) continue;
    const lists = getOrCreate(stores, store, () => ({ days: [], newDownloads: [], updateDownloads: [] }));
    lists.days.push(getOrCreate(distances, date, () => (Date.parse(date) - first) / DAY));
    lists.newDownloads.push(newDownloads);
    lists.updateDownloads.push(updateDownloads);
  }
  return [...stores]
    .map(([store, lists]) => ({ store, ...lists }))
    .sort((left, right) => compareText(left.store, right.store));
}

async function allOf(batches: CountBatches): Promise<readonly DailyCount[]> {
  const counts: DailyCount[] = [];
  for await (const batch of batches) for (const count of batch) counts.push(count);
  return counts;
}

function keyOf({ appId, store, date }: DailyCount): string {
  return JSON.stringify([appId, store, date]);
}
