import type { DailyCount, DownloadsSource } from "@tillkit/core";
import { frozen } from "./frozen.js";
import { byText, heldOr, keyText, type MemoryState } from "./memory-state.js";
import { step } from "./step.js";

/** `DownloadsSource` in memory. */
export function memoryDownloadsSource({ downloads }: Pick<MemoryState, "downloads">): DownloadsSource {
  const countsOf = (appId: string): Map<string, DailyCount> =>
    heldOr(downloads, appId, () => new Map<string, DailyCount>());
  const put = (count: DailyCount) =>
    countsOf(count.appId).set(keyText(count.store, count.date), frozen(count));
  return {
    read: (appId, start, end) =>
      step(() =>
        [...countsOf(appId).values()]
          .filter(({ date }) => start <= date && date <= end)
          .sort((left, right) => byText(left.store, right.store) || byText(left.date, right.date)),
      ),
    upsert: (counts) =>
      step(() => {
        for (const count of counts) put(count);
      }),
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
