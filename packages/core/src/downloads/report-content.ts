import { sumOfAllStores } from "./all-stores.js";
import type { StoreCounts } from "./daily-count.js";
import { type DateRange, daysOf } from "./date-range.js";
import type { ReportContent, StoreReport } from "./report.js";

/** Returns the counts of a range per day and store, with zeros for missing days, and their sums. */
export function reportContent(counts: readonly StoreCounts[], range: DateRange): ReportContent {
  const days = daysOf(range);
  const stores = counts.map((store) => storeReport(store, days.length));
  return { ...range, days, allStores: sumOfAllStores(stores), stores };
}

function storeReport(store: StoreCounts, length: number): StoreReport {
  const updateDownloads = everyDay(store.days, store.updateDownloads, length);
  const newDownloads = everyDay(store.days, store.newDownloads, length);
  const [updates, fresh] = [sumOf(updateDownloads), sumOf(newDownloads)];
  return {
    store: store.store,
    updateDownloads: updates,
    newDownloads: fresh,
    totalDownloads: updates + fresh,
    daily: { updateDownloads, newDownloads },
  };
}

/** Returns the counts in the order of the days of the range, with zeros for missing days. */
function everyDay(days: readonly number[], counts: readonly number[], length: number): readonly number[] {
  const all = new Array<number>(length).fill(0);
  days.forEach((day, index) => {
    all[day] = counts[index] ?? 0;
  });
  return all;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
