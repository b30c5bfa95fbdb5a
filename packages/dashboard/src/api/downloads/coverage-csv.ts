import type { Ports } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { downloadsCoverage, CSV_START, csvLine, readable } from "@tillkit/core/operators";
import type { ResultAsync } from "neverthrow";

const COLUMNS = ["appId", "store", "firstDay", "lastDay", "days", "missingDays"];

/** Writes as CSV for which days each app and store has data. */
export function coverageCsv(
  ports: Pick<Ports, "downloads">,
  appIds: readonly string[],
): ResultAsync<AsyncIterable<string>, StorageFailure> {
  return downloadsCoverage(ports, appIds).map(async function* (covered) {
    yield `${CSV_START}${csvLine(COLUMNS)}`;
    for (const { appId, store, firstDay, lastDay, days, missingDays } of covered)
      yield csvLine([appId, store, readable(firstDay), readable(lastDay), days, missingDays]);
  });
}
