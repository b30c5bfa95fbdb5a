import type { CountBatches, DailyCount, DownloadsSource, StoreCounts } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { ResultAsync } from "neverthrow";
import { frozen } from "./frozen.js";
import { byText, heldOr, keyText, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

const DAY = 86_400_000;

/** `DownloadsSource` in memory. */
export function memoryDownloadsSource({ downloads }: Pick<MemoryState, "downloads">): DownloadsSource {
  const countsOf = (appId: string): Map<string, DailyCount> =>
    heldOr(downloads, appId, () => new Map<string, DailyCount>());
  const put = (count: DailyCount) =>
    countsOf(count.appId).set(keyText(count.store, count.date), frozen(count));
  const isHeld = (count: DailyCount): boolean => {
    const held = countsOf(count.appId).get(keyText(count.store, count.date));
    return held?.newDownloads === count.newDownloads && held.updateDownloads === count.updateDownloads;
  };
  return {
    read: (appId, start, end) =>
      step(() =>
        byStore(
          [...countsOf(appId).values()].filter(({ date }) => start <= date && date <= end),
          start,
        ),
      ),
    upsert: (batches) =>
      ResultAsync.fromThrowable(allOf, (cause): StorageFailure => ({ name: "storage.unavailable", cause }))(
        batches,
      ).andThen((counts) =>
        step(() => {
          // Of two counts of one day only the later is compared with what was there.
          const latest = new Map(counts.map((count) => [keyOf(count), count]));
          const changed = [...latest.values()].filter((count) => !isHeld(count));
          changed.forEach(put);
          return { written: counts.length, changed: changed.length };
        }),
      ),
    increment: (count) =>
      step(() => {
        const before = countsOf(count.appId).get(keyText(count.store, count.date));
        put({
          ...count,
          newDownloads: (before?.newDownloads ?? 0) + count.newDownloads,
          updateDownloads: (before?.updateDownloads ?? 0) + count.updateDownloads,
        });
      }),
  };
}

/** The counts of each store, packed. */
function byStore(counts: readonly DailyCount[], start: string): readonly StoreCounts[] {
  const first = Date.parse(start);
  const distances = new Map<string, number>();
  // Parsing each date of each store would be most of a report.
  const distanceOf = ({ date }: DailyCount) =>
    heldOr(distances, date, () => (Date.parse(date) - first) / DAY);
  const stores = new Map<string, DailyCount[]>();
  for (const count of counts) heldOr(stores, count.store, (): DailyCount[] => []).push(count);
  return [...stores]
    .map(([store, ofStore]) => ({
      store,
      days: ofStore.map(distanceOf),
      newDownloads: ofStore.map(({ newDownloads }) => newDownloads),
      updateDownloads: ofStore.map(({ updateDownloads }) => updateDownloads),
    }))
    .sort((left, right) => byText(left.store, right.store));
}

async function allOf(batches: CountBatches): Promise<readonly DailyCount[]> {
  const counts: DailyCount[] = [];
  for await (const batch of batches) for (const count of batch) counts.push(count);
  return counts;
}

function keyOf({ appId, store, date }: DailyCount): string {
  return JSON.stringify([appId, store, date]);
}
