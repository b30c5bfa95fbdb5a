import { isDate } from "../shared/date.js";
import type { DailyCount } from "./daily-count.js";

/**
 * A count was not valid, and nothing was stored.
 *
 * - `date`: the day is not in the calendar, or not written as `YYYY-MM-DD`.
 * - `future`: the day is after `lastDownloadsDay`.
 * - `count`: a count is not a whole number from 0 to 9 007 199 254 740 991, or a sum would exceed
 *   it.
 * - `store`: the name of the store is empty, or is not a text that every storage can hold: it
 *   contains a null character or half a character.
 */
export interface InvalidCountFailure {
  readonly name: "count.invalid";
  readonly rule: "date" | "future" | "count" | "store";
}

/**
 * Returns the failure of a count that no storage may hold, or `undefined`.
 *
 * @returns the failure of the first rule that the count breaks.
 * @example
 * ```ts
 * import { countProblem } from "@tillkit/core/ports";
 *
 * const of = { appId: "app_1", store: "store_01", date: "2026-02-30" };
 * const problem = countProblem({ ...of, newDownloads: 1, updateDownloads: 0 });
 * console.log(problem?.rule); // date
 * ```
 */
export function countProblem({
  store,
  date,
  newDownloads,
  updateDownloads,
}: DailyCount): InvalidCountFailure | undefined {
  if (store === "" || store.includes("\u0000") || !store.isWellFormed())
    return { name: "count.invalid", rule: "store" };
  if (!isDate(date)) return { name: "count.invalid", rule: "date" };
  return isCount(newDownloads) && isCount(updateDownloads)
    ? undefined
    : { name: "count.invalid", rule: "count" };
}

/**
 * Returns whether storage can hold a number of downloads and read it back.
 *
 * @returns whether it is a whole number from 0 to 9 007 199 254 740 991.
 * @example
 * ```ts
 * import { isCount } from "@tillkit/core/ports";
 *
 * console.log(isCount(7), isCount(-1)); // true false
 * ```
 */
export function isCount(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 0;
}

/**
 * Returns the failure of the first count that is not valid, or `undefined`.
 *
 * @returns the result of {@link countProblem} for that count.
 * @example
 * ```ts
 * import type { DailyCount } from "@tillkit/core";
 * import { firstProblem } from "@tillkit/core/ports";
 *
 * declare const batch: readonly DailyCount[];
 *
 * const problem = firstProblem(batch);
 * if (problem !== undefined) console.error(problem.rule);
 * ```
 */
export function firstProblem(counts: readonly DailyCount[]): InvalidCountFailure | undefined {
  for (const count of counts) {
    const problem = countProblem(count);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Returns the failure of an addition whose sum would not be a count.
 *
 * @returns the failure, for a storage adapter.
 * @example
 * ```ts
 * import { isCount, sumTooLarge } from "@tillkit/core/ports";
 *
 * const sum = Number.MAX_SAFE_INTEGER + 1;
 * if (!isCount(sum)) console.error(sumTooLarge().rule); // count
 * ```
 */
export function sumTooLarge(): InvalidCountFailure {
  return { name: "count.invalid", rule: "count" };
}
