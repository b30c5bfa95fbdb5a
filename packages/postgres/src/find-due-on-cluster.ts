import type { BatchedMethod } from "./batched.js";
import { integer } from "./row.js";
import type { SqlQueries, SqlRow, SqlStatement } from "./sql-client.js";

/** A search for due rows. Skips the first `offset` of them. */
export interface DueSearch {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly limit: number;
  readonly offset: number;
  /** The values of `DueParts.filter`. */
  readonly filter: readonly string[];
}

/**
 * Creates the batched method that searches for due rows on a cluster.
 *
 * The search asks every node, so concurrent workers of one process share it. Each worker gets other
 * rows, longest due first. `column` holds the due time. Searches with an offset, or with another
 * filter than the first one, run alone.
 */
export function findDueOnCluster(
  sql: SqlQueries,
  due: SqlStatement,
  column: string,
): BatchedMethod<DueSearch, readonly SqlRow[]> {
  return {
    runOne: ({ now, limit, offset, filter }) => sql.query(due, [now, limit, offset, ...filter]),
    runBatch: async (searches) => {
      const [first] = searches;
      if (first === undefined) return new Map();
      const filter = JSON.stringify(first.filter);
      const isShared = (one: DueSearch) => one.offset === 0 && JSON.stringify(one.filter) === filter;
      const shared = searches.filter(isShared);
      const latest = Math.max(...shared.map(({ now }) => now));
      const total = shared.reduce((sum, { limit }) => sum + limit, 0);
      const rows = await sql.query(due, [latest, total, 0, ...first.filter]);
      let given = 0;
      return new Map(
        searches.flatMap((search, place) => {
          if (!isShared(search)) return [];
          const { now, limit } = search;
          const mine = rows.slice(given, given + limit).filter((row) => integer(row, column) <= now);
          given += mine.length;
          return [[place, mine] as const];
        }),
      );
    },
  };
}
