import { enumValue, integer } from "./row.js";
import type { SqlRow } from "./sql-client.js";

/** Reads rows of `name`, `count` and `oldest_ms`, in the order of `names`. */
export function openByName<T extends string>(
  names: readonly T[],
  rows: readonly SqlRow[],
): readonly { readonly name: T; readonly count: number; readonly oldestAt: number }[] {
  const found = rows.map((row) => ({
    name: enumValue(row, "name", names),
    count: integer(row, "count"),
    oldestAt: integer(row, "oldest_ms"),
  }));
  return found.toSorted((left, right) => names.indexOf(left.name) - names.indexOf(right.name));
}
