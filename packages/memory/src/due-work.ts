import type { DueWork } from "@tillkit/core";

/** Work with the time it is due at, if any. */
interface Due {
  readonly dueAt: number | undefined;
}

/** Those of `all` that are due at `now`, longest due first, up to `limit`. */
export function longestDue<T extends Due>(all: readonly T[], now: number, limit: number): readonly T[] {
  return all
    .filter(({ dueAt = Infinity }) => dueAt <= now)
    .sort((left, right) => (left.dueAt ?? 0) - (right.dueAt ?? 0))
    .slice(0, limit);
}

/** How much `due` is and how old the first of it. */
export function dueWork(due: readonly Due[]): DueWork {
  const oldestDueAt = due[0]?.dueAt;
  return { due: due.length, ...(oldestDueAt === undefined ? {} : { oldestDueAt }) };
}
