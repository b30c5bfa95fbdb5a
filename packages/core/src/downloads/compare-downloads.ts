import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { dateText, DAY, dayNumber, isDate } from "../shared/date.js";
import { dayRangeInput } from "../shared/day-range.js";
import { issue, perPolicy } from "../shared/input.js";
import { type CountPeriod, countPeriods, PERIOD_LENGTHS } from "./count-periods.js";
import type { DateRange } from "./date-range.js";
import type { StoreCounts } from "./daily-count.js";
import type { DownloadCounts } from "./report.js";

/** The parameters of {@link compareDownloads}: at most `policy.maxReportDays` days. */
export const compareDownloadsInput = perPolicy((policy) =>
  z
    .intersection(
      dayRangeInput(policy.maxReportDays)
        // The period before must exist in the calendar, too.
        .refine(({ from, until }) => isDate(rangeBefore({ start: from, end: until }).start), {
          path: ["from"],
          ...issue("date"),
        }),
      z.object({ by: z.enum(PERIOD_LENGTHS).optional() }),
    )
    .brand<"CompareDownloadsInput">(),
);
/** Valid parameters, the output of `parseInput(compareDownloadsInput(policy), …)`. */
export type CompareDownloadsInput = z.output<ReturnType<typeof compareDownloadsInput>>;

/** The counts of one store in each period. */
export interface ComparedStore extends DownloadCounts {
  readonly store: string;
  /** One element for each period. `null` if no day of the period has a count. */
  readonly periods: readonly (PeriodCounts | null)[];
  /** The sum over the range of equal length that ends on the day before this range. */
  readonly before: DownloadCounts;
}

/** The counts of one period. */
export interface PeriodCounts {
  readonly newDownloads: number;
  readonly updateDownloads: number;
  /** How many days of the period have a count of at least one app. */
  readonly recordedDays: number;
}

/** The counts of a range by store and period, and the sums of the range before it. */
export interface DownloadsComparison {
  readonly periods: readonly CountPeriod[];
  /** Each store with a count in the range or before it, sorted by name. */
  readonly stores: readonly ComparedStore[];
  readonly allStores: DownloadCounts;
  /** The sum over the range of equal length that ends on the day before this range. */
  readonly before: DateRange & DownloadCounts;
}

/**
 * Returns the download counts of apps for an operator, compared with the period before.
 *
 * Adds up the counts of stores with the same name. A period without data is `null`, because it need
 * not have zero downloads. Unlike `getDownloadsReport`, it uses no unit of a client's allowance.
 *
 * @returns the counts of all stores, and of each store by day, week or month.
 * @example
 * ```ts
 * import { parseInput } from "@tillkit/core";
 * import { compareDownloads, compareDownloadsInput } from "@tillkit/core/operators";
 *
 * const range = { from: "2026-01-01", until: "2026-01-31", by: "week" };
 * const compared = await parseInput(compareDownloadsInput(ports.policy), range).asyncAndThen(
 *   (input) => compareDownloads(ports, ["app_1"], input),
 * );
 * ```
 */
export function compareDownloads(
  ports: Pick<Ports, "downloads">,
  appIds: readonly string[],
  { from, until, by = "day" }: CompareDownloadsInput,
): ResultAsync<DownloadsComparison, StorageFailure> {
  return attempt(async () => {
    const range = { start: from, end: until };
    const before = rangeBefore(range);
    const { periods, periodOf } = countPeriods(range, by);
    const stores = new Map<string, StoreSums>();
    const sumsOf = (store: string) => {
      const sums = stores.get(store) ?? newSums(periodOf.length);
      stores.set(store, sums);
      return sums;
    };
    // One app after the other, so that the counts of two apps are never in memory together.
    for (const appId of appIds) {
      const inRange = await ports.downloads.read(appId, range.start, range.end);
      if (inRange.isErr()) return inRange;
      for (const counts of inRange.value) addDays(sumsOf(counts.store), counts);
      const readBefore = await ports.downloads.read(appId, before.start, before.end);
      if (readBefore.isErr()) return readBefore;
      for (const counts of readBefore.value) addBefore(sumsOf(counts.store), counts);
    }
    const comparisons = [...stores]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([store, sums]) => comparedStore(store, sums, periodOf, periods.length));
    return ok({
      periods,
      stores: comparisons,
      allStores: totalOf(comparisons),
      before: { ...before, ...totalOf(comparisons.map((store) => store.before)) },
    });
  });
}

/** Returns the range of equal length that ends on the day before `start`. */
function rangeBefore({ start, end }: DateRange): DateRange {
  const first = dayNumber(start) ?? 0;
  const length = (dayNumber(end) ?? 0) - first + 1;
  return { start: dateText((first - length) * DAY), end: dateText((first - 1) * DAY) };
}

/** The counts of one store over several apps, for each day of the range. */
interface StoreSums {
  readonly newDownloads: number[];
  readonly updateDownloads: number[];
  readonly isRecorded: boolean[];
  before: DownloadCounts;
}

function newSums(days: number): StoreSums {
  return {
    newDownloads: new Array<number>(days).fill(0),
    updateDownloads: new Array<number>(days).fill(0),
    isRecorded: new Array<boolean>(days).fill(false),
    before: countsOf(0, 0),
  };
}

function addDays(sums: StoreSums, { days, newDownloads, updateDownloads }: StoreCounts): void {
  for (const [index, day] of days.entries()) {
    sums.isRecorded[day] = true;
    sums.newDownloads[day] = (sums.newDownloads[day] ?? 0) + (newDownloads[index] ?? 0);
    sums.updateDownloads[day] = (sums.updateDownloads[day] ?? 0) + (updateDownloads[index] ?? 0);
  }
}

function addBefore(sums: StoreSums, { newDownloads, updateDownloads }: StoreCounts): void {
  const sumOf = (start: number, list: readonly number[]) => list.reduce((sum, count) => sum + count, start);
  const { before } = sums;
  sums.before = countsOf(
    sumOf(before.newDownloads, newDownloads),
    sumOf(before.updateDownloads, updateDownloads),
  );
}

function comparedStore(
  store: string,
  sums: StoreSums,
  periodOf: readonly number[],
  length: number,
): ComparedStore {
  const periods = new Array<PeriodCounts | null>(length).fill(null);
  for (const [day, period] of periodOf.entries()) {
    if (sums.isRecorded[day] !== true) continue;
    const counts = periods[period] ?? { newDownloads: 0, updateDownloads: 0, recordedDays: 0 };
    periods[period] = {
      newDownloads: counts.newDownloads + (sums.newDownloads[day] ?? 0),
      updateDownloads: counts.updateDownloads + (sums.updateDownloads[day] ?? 0),
      recordedDays: counts.recordedDays + 1,
    };
  }
  return { store, periods, ...totalOf(periods.filter((one) => one !== null)), before: sums.before };
}

type Sums = Pick<DownloadCounts, "newDownloads" | "updateDownloads">;

function totalOf(counts: readonly Sums[]): DownloadCounts {
  return countsOf(
    counts.reduce((sum, { newDownloads }) => sum + newDownloads, 0),
    counts.reduce((sum, { updateDownloads }) => sum + updateDownloads, 0),
  );
}

function countsOf(newDownloads: number, updateDownloads: number): DownloadCounts {
  return { updateDownloads, newDownloads, totalDownloads: updateDownloads + newDownloads };
}
