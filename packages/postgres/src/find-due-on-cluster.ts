import type { BatchedMethod } from "./batched.js";
import { integer } from "./row.js";
import type { SqlQueries, SqlRow, SqlStatement } from "./sql-client.js";

/** A search for due rows. Skips the first `offset` of them. */
export interface DueSearch {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Creates the batched method that searches for due rows on a cluster.
 *
 * The search asks every node, so concurrent workers of one process share it. Each worker gets other
 * rows, longest due first. `column` holds the due time. Searches with an offset run alone.
 */
export function findDueOnCluster(
  sql: SqlQueries,
  due: SqlStatement,
  column: string,
): BatchedMethod<DueSearch, readonly SqlRow[]> {
  return {
    runOne: ({ now, limit, offset }) => sql.query(due, [now, limit, offset]),
    runBatch: async (searches) => {
      const shared = searches.filter(({ offset }) => offset === 0);
      if (shared.length === 0) return new Map();
      const latest = Math.max(...shared.map(({ now }) => now));
      const total = shared.reduce((sum, { limit }) => sum + limit, 0);
      const rows = await sql.query(due, [latest, total, 0]);
      let given = 0;
      return new Map(
        searches.flatMap(({ now, limit, offset }, place) => {
          if (offset > 0) return [];
          const mine = rows.slice(given, given + limit).filter((row) => integer(row, column) <= now);
          given += mine.length;
          return [[place, mine] as const];
        }),
      );
    },
  };
}
