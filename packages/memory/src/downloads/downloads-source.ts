import type { DailyCount } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import {
  type CountBatches,
  countProblem,
  type DownloadsSource,
  firstProblem,
  isCount,
  isReservedStore,
  reservedStore,
  resolveStores,
  type StoreCounts,
  type StoreName,
  sumTooLarge,
  MAX_UNKNOWN_APPS_LISTED,
  unknownApp,
} from "@tillkit/core/ports";
import { err, ok, ResultAsync } from "neverthrow";
import { changeDays } from "./change-days.js";
import { changeStores } from "./change-stores.js";
import { type DownloadsState, namesIn } from "./downloads-state.js";
import { frozen } from "../state/frozen.js";
import { compareText, getOrCreate, compositeKey } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

const DAY = 86_400_000;

/** Creates a `DownloadsSource` in memory. */
export function memoryDownloadsSource(state: DownloadsState): DownloadsSource {
  const { apps, downloads, storeNames } = state;
  const countsOf = (appId: string): Map<string, DailyCount> =>
    getOrCreate(downloads, appId, () => new Map<string, DailyCount>());
  const put = (count: DailyCount) =>
    countsOf(count.appId).set(compositeKey(count.store, count.date), frozen(count));
  const stored = (count: DailyCount) => countsOf(count.appId).get(compositeKey(count.store, count.date));
  const register = (added: readonly StoreName[]) => {
    for (const { name, store } of added) storeNames.set(name, store);
  };
  return {
    read: (appId, start, end) => runAtomically(() => byStore(countsOf(appId).values(), start, end)),
    upsert: (batches, { strict = false, onChange } = {}) =>
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
          const given = new Set(counts.map(({ store }) => store));
          const resolved = resolveStores(namesIn(storeNames), given, strict);
          if (resolved.isErr()) return err(resolved.error);
          const { storeOf, added: names } = resolved.value;
          // If a day has two counts, only the later one is compared with the stored count.
          const latest = new Map<string, DailyCount>();
          for (const count of counts) {
            const named = { ...count, store: storeOf.get(count.store) ?? count.store };
            latest.set(keyOf(named), named);
          }
          const changes = [...latest.values()]
            .map((count) => ({ count, before: stored(count) }))
            .filter(({ count, before }) => before === undefined || !areEqual(count, before))
            .sort((left, right) => compareCounts(left.count, right.count));
          for (const { count, before } of changes)
            onChange?.(
              before === undefined
                ? count
                : {
                    ...count,
                    before: { newDownloads: before.newDownloads, updateDownloads: before.updateDownloads },
                  },
            );
          register(names);
          for (const { count } of changes) put(count);
          return ok({
            written: counts.length,
            changed: changes.length,
            added: changes.filter(({ before }) => before === undefined).length,
            unchanged: latest.size - changes.length,
          });
        }).andThen((outcome) => outcome),
      ),
    increment: (given) =>
      runAtomically(() => {
        if (isReservedStore(given.store)) return err(reservedStore());
        const problem = countProblem(given);
        if (problem !== undefined) return err(problem);
        if (!apps.has(given.appId)) return err(unknownApp(given.appId));
        const resolved = resolveStores(namesIn(storeNames), [given.store], false);
        if (resolved.isErr()) return err(resolved.error);
        const count = { ...given, store: resolved.value.storeOf.get(given.store) ?? given.store };
        const before = stored(count);
        const newDownloads = (before?.newDownloads ?? 0) + count.newDownloads;
        const updateDownloads = (before?.updateDownloads ?? 0) + count.updateDownloads;
        if (!isCount(newDownloads) || !isCount(updateDownloads)) return err(sumTooLarge());
        register(resolved.value.added);
        put({ ...count, newDownloads, updateDownloads });
        return ok();
      }).andThen((outcome) => outcome),
    storeNames: () => runAtomically(() => namesIn(storeNames)),
    changeStores: (change, dryRun, audit) =>
      runAtomically(() => changeStores(state, change, dryRun, audit)).andThen((outcome) => outcome),
    changeDays: (days, next, dryRun, audit) =>
      runAtomically(() => changeDays(state, days, next, dryRun, audit)).andThen((outcome) => outcome),
    coverage: (appId) =>
      runAtomically(() => {
        const dates = new Map<string, string[]>();
        for (const { store, date } of countsOf(appId).values())
          getOrCreate(dates, store, () => []).push(date);
        return [...dates]
          .sort(([left], [right]) => compareText(left, right))
          .map(([store, days]) => {
            const [firstDay = ""] = days.sort(compareText);
            return { store, firstDay, lastDay: days.at(-1) ?? "", days: days.length };
          });
      }),
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

function areEqual(left: DailyCount, right: DailyCount): boolean {
  return left.newDownloads === right.newDownloads && left.updateDownloads === right.updateDownloads;
}

function compareCounts(left: DailyCount, right: DailyCount): number {
  return (
    compareText(left.appId, right.appId) ||
    compareText(left.store, right.store) ||
    compareText(left.date, right.date)
  );
}
