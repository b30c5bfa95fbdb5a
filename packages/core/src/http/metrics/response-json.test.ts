import fc from "fast-check";
import { expect, it } from "vitest";
import type { DownloadCounts, DownloadsReport } from "../../downloads/report.js";
import { reportJson } from "./response-json.js";
import type { DownloadsRecord } from "./response-schemas.js";

/** Builds the documented body with an object for every entry. */
function plain({ usage, start, end, days, allStores, stores }: DownloadsReport): DownloadsRecord {
  const entries = stores.map(({ store, daily, ...sums }) => ({
    store,
    ...plainCounts(sums),
    downloadsArray: days.map((date, day) => {
      const [updateDownloads = 0, newDownloads = 0] = [daily.updateDownloads[day], daily.newDownloads[day]];
      return {
        date,
        ...plainCounts({ updateDownloads, newDownloads, totalDownloads: updateDownloads + newDownloads }),
      };
    }),
  }));
  const downloads = [{ store: "All Stores", ...plainCounts(allStores) }, ...entries];
  return { data: { result: "success", usage, downloadsData: { start, end, downloads } } };
}

function plainCounts({ updateDownloads, newDownloads, totalDownloads }: DownloadCounts): DownloadCounts {
  return { updateDownloads, newDownloads, totalDownloads };
}

// A sum of many safe integers may be larger than a safe integer.
const sum = fc.oneof(fc.maxSafeNat(), fc.double({ min: 0, max: 1e25, noNaN: true }).map(Math.floor));
const counts = fc.record({ updateDownloads: sum, newDownloads: sum, totalDownloads: sum });
const days = ["2024-02-28", "2024-02-29", "2024-03-01"];
const daily = fc.array(fc.maxSafeNat(), { minLength: days.length, maxLength: days.length });
const store = fc.record({
  store: fc.string({ unit: "binary", maxLength: 9 }),
  sums: counts,
  daily: fc.record({ updateDownloads: daily, newDownloads: daily }),
});
const report: fc.Arbitrary<DownloadsReport> = fc.record({
  usage: fc.record({ dailyLimit: fc.nat(), usedToday: fc.nat(), remainingToday: fc.nat() }),
  resetAt: fc.constant("2024-03-02T00:00:00+08:00"),
  resetsIn: fc.nat(),
  start: fc.constant("2024-02-28"),
  end: fc.constant("2024-03-01"),
  days: fc.constant(days),
  allStores: counts,
  stores: fc.array(
    store.map(({ sums, ...named }) => ({ ...named, ...sums })),
    { maxLength: 3 },
  ),
});

it("writes the same bytes as JSON.stringify of the plain object", () => {
  fc.assert(
    fc.property(report, (one) => {
      expect(reportJson(one).text).toBe(JSON.stringify(plain(one)));
    }),
  );
});

it("writes the same bytes for reports that share their lists, each with its own usage", () => {
  fc.assert(
    fc.property(report, fc.array(fc.nat(), { minLength: 3, maxLength: 3 }), (one, used) => {
      for (const usedToday of used) {
        const mine = { ...one, usage: { ...one.usage, usedToday } };
        expect(reportJson(mine).text).toBe(JSON.stringify(plain(mine)));
      }
    }),
  );
});
