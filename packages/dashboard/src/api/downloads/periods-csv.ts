import type { Ports } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import {
  compareDownloads,
  type CompareDownloadsInput,
  type DownloadsComparison,
  CSV_START,
  csvLine,
  readable,
} from "@tillkit/core/operators";
import { okAsync, type ResultAsync } from "neverthrow";

const COLUMNS = ["appId", "store", "from", "until", "newDownloads", "updateDownloads", "recordedDays"];

/**
 * Writes the sums of weeks or months of apps as CSV, sorted by app, store and period.
 *
 * Periods without data are absent. Reads one app at a time. Fails and throws like `downloadsCsv`.
 */
export function periodsCsv(
  ports: Pick<Ports, "downloads">,
  [first, ...others]: readonly string[],
  range: CompareDownloadsInput,
  store: string | undefined,
): ResultAsync<AsyncIterable<string>, StorageFailure> {
  const read = (appId: string) => compareDownloads(ports, [appId], range);
  async function* lines(compared: DownloadsComparison | undefined) {
    yield `${CSV_START}${csvLine(COLUMNS)}`;
    if (first === undefined || compared === undefined) return;
    yield linesOf(first, compared, store);
    for (const appId of others) {
      const later = await read(appId);
      if (later.isErr()) throw new Error("Download counts cannot be read.", { cause: later.error.cause });
      yield linesOf(appId, later.value, store);
    }
  }
  return (first === undefined ? okAsync<undefined, StorageFailure>(undefined) : read(first)).map(lines);
}

function linesOf(appId: string, { periods, stores }: DownloadsComparison, only: string | undefined): string {
  return stores
    .filter(({ store }) => only === undefined || store === only)
    .flatMap(({ store, periods: counts }) =>
      periods.map(({ from, until }, nth) => {
        const count = counts[nth];
        if (count === undefined || count === null) return "";
        const { newDownloads, updateDownloads, recordedDays } = count;
        const days = [readable(from), readable(until)];
        return csvLine([appId, store, ...days, newDownloads, updateDownloads, recordedDays]);
      }),
    )
    .join("");
}
