import type { DailyCount } from "@tillkit/core";

const DAY = 86_400_000;
const STORES = ["store_01", "store_02", "store_03", "store_04", "store_05"];

/**
 * Returns demo download counts of several stores for the `days` days that end on `today`.
 *
 * The counts depend only on the arguments.
 *
 * @param today - the last day, `YYYY-MM-DD`.
 */
export function demoCounts(appId: string, today: string, days: number): readonly DailyCount[] {
  const last = Date.parse(`${today}T00:00:00Z`) / DAY;
  return STORES.flatMap((store, rank) =>
    Array.from({ length: days }, (_, age) => {
      const day = last - age;
      const date = new Date(day * DAY).toISOString().slice(0, 10);
      // Smaller stores have smaller counts, and the counts follow a weekly cycle.
      const swing = 1 + 0.3 * Math.sin((2 * Math.PI * (day + rank)) / 7);
      const newDownloads = Math.round((400 / (rank + 1)) * swing) + (day % 11);
      return { appId, store, date, newDownloads, updateDownloads: 3 * newDownloads + (day % 5) };
    }),
  );
}
