import { ok, type ResultAsync } from "neverthrow";
import type * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { dateText, DAY, dayNumber, isDate } from "../shared/date.js";
import { dayRangeInput } from "../shared/day-range.js";
import { issue, perPolicy } from "../shared/input.js";
import type { DateRange } from "./date-range.js";
import type { StoreCounts } from "./daily-count.js";
import { reportContent } from "./report-content.js";
import type { DownloadCounts, ReportContent } from "./report.js";

/** The parameters of {@link compareDownloads}: at most `policy.maxReportDays` days. */
export const compareDownloadsInput = perPolicy((policy) =>
  dayRangeInput(policy.maxReportDays)
    // The period before must exist in the calendar, too.
    .refine(({ from, until }) => isDate(rangeBefore({ start: from, end: until }).start), {
      path: ["from"],
      ...issue("date"),
    })
    .brand<"CompareDownloadsInput">(),
);
/** Valid parameters, the output of `parseInput(compareDownloadsInput(policy), …)`. */
export type CompareDownloadsInput = z.output<ReturnType<typeof compareDownloadsInput>>;

/** The counts of a range, and the sum of the period before it. */
export interface DownloadsComparison extends ReportContent {
  /** The sum over as many days, which end on the day before the range. */
  readonly before: DateRange & DownloadCounts;
}

/**
 * Returns the download counts of apps for an operator, compared with the period before.
 *
 * Adds up the counts of stores with the same name. Unlike `getDownloadsReport`, it uses no unit of
 * a client's allowance.
 *
 * @returns the counts of all stores and of each store, per day.
 * @example
 * ```ts
 * import { compareDownloads, compareDownloadsInput, parseInput } from "@tillkit/core";
 *
 * const range = { from: "2026-01-01", until: "2026-01-31" };
 * const compared = await parseInput(compareDownloadsInput(ports.policy), range).asyncAndThen(
 *   (input) => compareDownloads(ports, ["app_1"], input),
 * );
 * ```
 */
export function compareDownloads(
  ports: Pick<Ports, "downloads">,
  appIds: readonly string[],
  { from, until }: CompareDownloadsInput,
): ResultAsync<DownloadsComparison, StorageFailure> {
  return attempt(async () => {
    const range = { start: from, end: until };
    const before = rangeBefore(range);
    const stores = new Map<string, StoreSums>();
    let earlier = { updateDownloads: 0, newDownloads: 0 };
    // One app after the other, so that the counts of two apps are never in memory together.
    for (const appId of appIds) {
      const read = await ports.downloads.read(appId, range.start, range.end);
      if (read.isErr()) return read;
      addTo(stores, read.value, lengthOf(range));
      const readBefore = await ports.downloads.read(appId, before.start, before.end);
      if (readBefore.isErr()) return readBefore;
      earlier = plus(earlier, readBefore.value);
    }
    const totalDownloads = earlier.updateDownloads + earlier.newDownloads;
    return ok({
      ...reportContent(countsOf(stores), range),
      before: { ...before, ...earlier, totalDownloads },
    });
  });
}

/** Returns the range of equal length that ends on the day before. */
function rangeBefore({ start, end }: DateRange): DateRange {
  const first = dayNumber(start) ?? 0;
  return { start: dateText((first - lengthOf({ start, end })) * DAY), end: dateText((first - 1) * DAY) };
}

function lengthOf({ start, end }: DateRange): number {
  return (dayNumber(end) ?? 0) - (dayNumber(start) ?? 0) + 1;
}

/** The counts of one store over several apps, for each day of the range. */
interface StoreSums {
  readonly newDownloads: number[];
  readonly updateDownloads: number[];
}

function addTo(stores: Map<string, StoreSums>, counts: readonly StoreCounts[], length: number): void {
  for (const { store, days, newDownloads, updateDownloads } of counts) {
    const sums = stores.get(store) ?? {
      newDownloads: new Array<number>(length).fill(0),
      updateDownloads: new Array<number>(length).fill(0),
    };
    stores.set(store, sums);
    for (const [index, day] of days.entries()) {
      sums.newDownloads[day] = (sums.newDownloads[day] ?? 0) + (newDownloads[index] ?? 0);
      sums.updateDownloads[day] = (sums.updateDownloads[day] ?? 0) + (updateDownloads[index] ?? 0);
    }
  }
}

function countsOf(stores: ReadonlyMap<string, StoreSums>): readonly StoreCounts[] {
  return [...stores]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([store, sums]) => ({ store, days: [...sums.newDownloads.keys()], ...sums }));
}

type Sums = Omit<DownloadCounts, "totalDownloads">;

function plus({ updateDownloads, newDownloads }: Sums, counts: readonly StoreCounts[]): Sums {
  const sumOf = (start: number, list: readonly number[]) => list.reduce((sum, count) => sum + count, start);
  return {
    updateDownloads: counts.reduce((sum, store) => sumOf(sum, store.updateDownloads), updateDownloads),
    newDownloads: counts.reduce((sum, store) => sumOf(sum, store.newDownloads), newDownloads),
  };
}
