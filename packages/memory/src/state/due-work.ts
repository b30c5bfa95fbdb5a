import type { DueWork } from "@tillkit/core/ports";

/** An item with its due time in epoch milliseconds, or `undefined` if it is not scheduled. */
interface Due {
  readonly dueAt: number | undefined;
}

/** Returns up to `limit` items that are due at `now`, longest due first. */
export function longestDue<T extends Due>(all: readonly T[], now: number, limit: number): readonly T[] {
  return all
    .filter(({ dueAt = Infinity }) => dueAt <= now)
    .sort((left, right) => (left.dueAt ?? 0) - (right.dueAt ?? 0))
    .slice(0, limit);
}

/** Counts the items in `due` and reads the oldest due time from the first item. */
export function dueWork(due: readonly Due[]): DueWork {
  const oldestDueAt = due[0]?.dueAt;
  return { due: due.length, ...(oldestDueAt === undefined ? {} : { oldestDueAt }) };
}
