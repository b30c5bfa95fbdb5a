import type { DownloadCounts } from "./report.js";

/**
 * The name of the entry with the sum of all stores.
 *
 * The entry is the first of a downloads report. The entries of the stores follow, sorted by name.
 */
export const ALL_STORES = "All Stores";

/** Returns the counts of {@link ALL_STORES}: the sums of the counts of the stores. */
export function sumOfAllStores(stores: readonly DownloadCounts[]): DownloadCounts {
  return stores.reduce(
    (sum, store) => ({
      updateDownloads: sum.updateDownloads + store.updateDownloads,
      newDownloads: sum.newDownloads + store.newDownloads,
      totalDownloads: sum.totalDownloads + store.totalDownloads,
    }),
    { updateDownloads: 0, newDownloads: 0, totalDownloads: 0 },
  );
}
