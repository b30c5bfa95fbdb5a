import type { StorageFailure } from "@tillkit/core/errors";
import type { ResultAsync } from "neverthrow";
import { CONCURRENT_CALLERS } from "../fixtures.js";
import { race } from "../open-before-each.js";

/**
 * The limit of one call: small enough to need several rounds, and large enough for adapters that
 * run calls one by one.
 */
const LIMIT = 10;

/**
 * Calls `remove` concurrently until it removes nothing, and returns the number of removed rows.
 *
 * A call may skip rows that another call removes. Throws if a call removes more than its limit.
 */
export async function drained(
  remove: (limit: number) => ResultAsync<number, StorageFailure>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const counts = await race(CONCURRENT_CALLERS, () => remove(LIMIT));
    if (counts.some((count) => count > LIMIT)) throw new Error("A step removed more than its limit.");
    const removed = counts.reduce((sum, count) => sum + count, 0);
    if (removed === 0) return total;
    total += removed;
  }
}
