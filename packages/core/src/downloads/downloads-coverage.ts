import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { dayNumber } from "../shared/date.js";
import type { StoreCoverage } from "./downloads-source.js";

/** For which days a store has counts of an app, and for how many it has none. */
export interface AppCoverage extends StoreCoverage {
  readonly appId: string;
  /** The number of days without a count between the first and the last day. */
  readonly missingDays: number;
}

/**
 * Returns for which days each app and store has counts.
 *
 * A day has no count if nothing stored a count for it. Reports of the downloads API show such a day
 * as zero.
 *
 * @returns one entry for each app and store, in the order of `appIds`, then by store.
 * @example
 * ```ts
 * import { downloadsCoverage } from "@tillkit/core/operators";
 *
 * const covered = await downloadsCoverage(ports, ["app_1"]);
 * if (covered.isOk()) for (const { store, lastDay } of covered.value) console.log(store, lastDay);
 * ```
 */
export function downloadsCoverage(
  ports: Pick<Ports, "downloads">,
  appIds: readonly string[],
): ResultAsync<readonly AppCoverage[], StorageFailure> {
  return attempt(async () => {
    const coverage: AppCoverage[] = [];
    for (const appId of appIds) {
      const stores = await ports.downloads.coverage(appId);
      if (stores.isErr()) return stores;
      for (const store of stores.value) {
        const length = (dayNumber(store.lastDay) ?? 0) - (dayNumber(store.firstDay) ?? 0) + 1;
        coverage.push({ appId, ...store, missingDays: length - store.days });
      }
    }
    return ok(coverage);
  });
}
