import { errAsync, type ResultAsync } from "neverthrow";
import type { Ports } from "../ports.js";
import { isDate } from "../shared/date.js";
import type { DailyCount } from "./daily-count.js";
import type { CountBatches, CountFailure, UpsertedCounts, UpsertOptions } from "./downloads-source.js";

/** The ports that {@link recordDownloads} and {@link addDownloads} use. */
export type RecordDownloadsPorts = Pick<Ports, "downloads" | "clock">;

/**
 * Sets the downloads of each app, store and day, all or nothing.
 *
 * Recording the same counts again changes nothing, and a later count of a day replaces the earlier
 * one. A day after {@link lastDownloadsDay} is rejected. A spelling of a known store counts for
 * this store. An unknown store is added to the registry, unless `options.strict` is set.
 *
 * @param batches - the counts, as `[counts]` or as a file is read.
 * @returns how many counts were given and how many were new or different. Fails with
 *   `store.unknown` if `options.strict` is set and a store is new, and with `store.too-many` if the
 *   registry is full.
 * @example
 * ```ts
 * import { recordDownloads } from "@tillkit/core";
 *
 * const of = { appId: "app_1", store: "store_01", date: "2026-01-15" };
 * const count = { ...of, newDownloads: 7, updateDownloads: 2 };
 * const recorded = await recordDownloads(ports, [[count]]);
 * if (recorded.isErr()) console.error(recorded.error.name);
 * ```
 */
export function recordDownloads(
  { downloads, clock }: RecordDownloadsPorts,
  batches: CountBatches,
  options?: UpsertOptions,
): ResultAsync<UpsertedCounts, CountFailure> {
  const lastDay = lastDownloadsDay(clock.now());
  let future = false;
  async function* past(): AsyncGenerator<readonly DailyCount[]> {
    for await (const batch of batches) {
      future = batch.some(({ date }) => isDate(date) && date > lastDay);
      if (future) throw new Error("A count is of a day in the future.");
      yield batch;
    }
  }
  return downloads
    .upsert(past(), options)
    .mapErr((failure): CountFailure => (future ? { name: "count.invalid", rule: "future" } : failure));
}

/**
 * Adds to the downloads of one app, store and day. No concurrent call is lost.
 *
 * A repeated call counts again. Use {@link recordDownloads} for counts that may be repeated.
 *
 * @returns nothing.
 * @example
 * ```ts
 * import { addDownloads } from "@tillkit/core";
 *
 * const of = { appId: "app_1", store: "store_01", date: "2026-01-15" };
 * const more = { ...of, newDownloads: 1, updateDownloads: 0 };
 * const added = await addDownloads(ports, more);
 * if (added.isErr()) console.error(added.error.name);
 * ```
 */
export function addDownloads(
  { downloads, clock }: RecordDownloadsPorts,
  count: DailyCount,
): ResultAsync<void, CountFailure> {
  return isDate(count.date) && count.date > lastDownloadsDay(clock.now())
    ? errAsync({ name: "count.invalid", rule: "future" })
    : downloads.increment(count);
}

/**
 * Returns the latest day for which counts are accepted: tomorrow in UTC.
 *
 * In time zones east of UTC, a day begins earlier than in UTC.
 *
 * @param now - epoch milliseconds.
 * @returns the day, `YYYY-MM-DD`.
 * @example
 * ```ts
 * import { lastDownloadsDay } from "@tillkit/core";
 *
 * const isFuture = "2999-01-01" > lastDownloadsDay(Date.now());
 * ```
 */
export function lastDownloadsDay(now: number): string {
  return new Date(now + 24 * 3_600_000).toISOString().slice(0, 10);
}
