import type { Ports } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { CSV_START, csvLine, readable, type CompareDownloadsInput } from "@tillkit/core/operators";
import type { StoreCounts } from "@tillkit/core/ports";
import { okAsync, type ResultAsync } from "neverthrow";

const DAY = 86_400_000;

/** The columns, by the names that `tillkit downloads import` reads. */
const COLUMNS = ["appId", "store", "date", "newDownloads", "updateDownloads"];

/**
 * Writes the recorded counts of apps as CSV, sorted by app, store and day.
 *
 * With `store`, writes only the counts of this store. Reads one app at a time. Fails if the first
 * app cannot be read. If a later app cannot be read, the stream throws, so that the client notices
 * that the file is incomplete.
 */
export function downloadsCsv(
  { downloads }: Pick<Ports, "downloads">,
  [first, ...others]: readonly string[],
  { from, until }: CompareDownloadsInput,
  store: string | undefined,
): ResultAsync<AsyncIterable<string>, StorageFailure> {
  const read = (appId: string) =>
    downloads
      .read(appId, from, until)
      .map((counts) => counts.filter((one) => store === undefined || one.store === store));
  async function* lines(counts: readonly StoreCounts[]) {
    yield `${CSV_START}${csvLine(COLUMNS)}`;
    if (first === undefined) return;
    for (const one of counts) yield linesOf(first, one, from);
    for (const appId of others) {
      const later = await read(appId);
      if (later.isErr()) throw new Error("Download counts cannot be read.", { cause: later.error.cause });
      for (const one of later.value) yield linesOf(appId, one, from);
    }
  }
  return (first === undefined ? okAsync<readonly StoreCounts[], StorageFailure>([]) : read(first)).map(lines);
}

function linesOf(appId: string, { store, ...counts }: StoreCounts, from: string): string {
  return [...counts.days.entries()]
    .sort(([, left], [, right]) => left - right)
    .map(([index, day]) => {
      const date = new Date(Date.parse(from) + day * DAY).toISOString().slice(0, 10);
      return csvLine([
        appId,
        store,
        readable(date),
        counts.newDownloads[index],
        counts.updateDownloads[index],
      ]);
    })
    .join("");
}
