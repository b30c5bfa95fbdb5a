import type { StorageFailure } from "@tillkit/core/errors";
import type { ResultAsync } from "neverthrow";
import { RACERS } from "../fixtures.js";
import { race } from "../opening.js";

/** So few that there are several rounds, and so many that an adapter which answers one call after the other is not asked thousands of times. */
const LIMIT = 10;

/**
 * How many rows concurrent calls of `remove` removed in all. They come in rounds until one removes nothing: a call may leave early what
 * another one is at, and none may remove more than the limit it is given.
 */
export async function drained(
  remove: (limit: number) => ResultAsync<number, StorageFailure>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const counts = await race(RACERS, () => remove(LIMIT));
    if (counts.some((count) => count > LIMIT)) throw new Error("A step removed more than its limit.");
    const removed = counts.reduce((sum, count) => sum + count, 0);
    if (removed === 0) return total;
    total += removed;
  }
}
