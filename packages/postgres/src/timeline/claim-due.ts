import { arrayLiteral } from "../sql/array-literal.js";
import { batchInputSql, batchInputValues, rowsByIndex } from "../batching/batch-input.js";
import { batched, type BatchOptions } from "../batching/batched.js";
import { batchedByShard } from "../batching/batched-by-shard.js";
import { heldCallsSql, lockListedRowsSql } from "../sql/lock-listed-rows.js";
import { integer, text } from "../sql/row.js";
import type { RowReader } from "../sql/row-reader.js";
import type { SqlQueries, SqlRow, SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { StoreClient } from "../cluster/store-client.js";

/**
 * The due rows of a table.
 *
 * `open` is the SQL condition for unfinished rows. `column` holds the due time and has an index.
 * `key` is the primary key, and all its columns have the type text.
 */
export interface DueParts {
  readonly method: string;
  readonly table: string;
  readonly key: readonly [distribution: string, ...more: string[]];
  readonly column: string;
  readonly open: string;
  /** The select list of a claimed row `r`. */
  readonly columns: string;
  /** An SQL condition that selects rows, over the values of `DueClaim.filter` from `$4`. */
  readonly filter?: string;
  /** The column for the id of the claim, if the rows have one. */
  readonly claimColumn?: string;
}

/** The statements that claim due rows. */
export interface ClaimDueStatements extends Pick<DueParts, "table" | "key" | "column"> {
  /**
   * Finds the keys and due times of due rows, longest due first.
   *
   * Placeholders: time, limit, offset, values of the filter. Takes no locks, so that a distributed
   * database can run it on every node.
   */
  readonly due: SqlStatement;
  /**
   * Claims rows that are still due. Returns each with the position `n` of its claim.
   *
   * Placeholders: see {@link batchInputSql}, then the values of the first key column as an array
   * literal. A cluster runs it on one node if the rows are in one shard.
   */
  readonly claim: SqlStatement;
}

/** Creates the statements that claim due rows of one table. */
export function claimDueStatements({
  method,
  table,
  key,
  column,
  open,
  columns,
  filter = "true",
  claimColumn,
}: DueParts): ClaimDueStatements {
  const names = key.join(", ");
  const [first] = key;
  const asked = `${key.map((name) => `${name} text`).join(", ")}, now_ms bigint, until_ms bigint, claim text`;
  const claimed = claimColumn === undefined ? "" : `, ${claimColumn} = asked.claim`;
  return {
    table,
    key,
    column,
    due: statement(
      `${method}_due`,
      `select ${names}, ${column} from ${table} where ${open} and ${filter} and ${column} <= $1 order by ${column} limit $2 offset $3`,
    ),
    // Repeats the condition, because another worker may claim a row before this one locks it.
    claim: statement(
      `${method}_claim_due`,
      `with ${lockListedRowsSql(table, key, open)}
       update ${table} r set ${column} = asked.until_ms${claimed}
       from ${heldCallsSql(batchInputSql(asked), key)} asked
       where r.ctid = asked.ctid and r.${first} = any($2::text[]) and r.${column} <= asked.now_ms
       returning asked.n, ${columns}`,
    ),
  };
}

/** Reads the claimed rows. */
export interface DueReader<T> extends Pick<RowReader<T>, "all"> {
  /** Returns the primary key of an item. */
  readonly keyOf: (item: T) => readonly string[];
}

/** The maximum number of searches of one worker if other workers claim the same rows. */
const MAX_SEARCHES = 20;

/** A claim of up to `limit` rows that are due at `now`, until `until`. */
export interface DueClaim {
  readonly now: number;
  readonly limit: number;
  readonly until: number;
  /** The values of `DueParts.filter`. */
  readonly filter?: readonly string[];
  /** The id of the claim, if the rows have a column for it. */
  readonly id?: string;
}

/**
 * Creates the function that claims up to `limit` due rows until `until`, longest due first.
 *
 * Each row goes to one worker only. Concurrent workers of this process share a search, which runs
 * on every node of a cluster, and each gets different rows. If workers of other processes claim the
 * found rows first, a worker continues at a random offset of the queue. The function returns fewer
 * than `limit` rows if no other row is due, or after 20 searches.
 */
export function dueClaimer<T>(
  sql: StoreClient,
  statements: ClaimDueStatements,
  { all, keyOf }: DueReader<T>,
  batching?: BatchOptions,
): (claim: DueClaim) => Promise<readonly T[]> {
  const search = searcher(sql, statements, batching);

  const run = async (wanted: DueClaim, shared: Search): Promise<readonly T[]> => {
    const claimed: { readonly item: T; readonly due: number }[] = [];
    let offset = 0;
    let found = shared;
    for (let searches = 1; ; searches += 1) {
      const times = new Map(found.rows.map(({ key, due }) => [JSON.stringify(key), due]));
      // An unreadable row stays claimed until `until`, so that it does not block the head of the
      // queue.
      for (const item of all(found.claimed))
        claimed.push({ item, due: times.get(JSON.stringify(keyOf(item))) ?? wanted.now });
      const isLost = found.claimed.length < found.rows.length;
      const isAll = offset === 0 && !found.hasMore && !isLost;
      if (searches === MAX_SEARCHES || claimed.length >= wanted.limit || isAll) break;
      // After the end of the queue, the search starts at its head again.
      offset = isLost ? 1 + Math.floor(Math.random() * searches * wanted.limit) : 0;
      const rest = { ...wanted, limit: wanted.limit - claimed.length };
      found = (await search([rest], offset))[0] ?? NOTHING_FOUND;
    }
    return claimed.toSorted((a, b) => a.due - b.due).map(({ item }) => item);
  };

  return batched(
    {
      maxConcurrent: 1,
      runOne: async (claim) => run(claim, (await search([claim]))[0] ?? NOTHING_FOUND),
      runBatch: async (claims) => {
        const filter = JSON.stringify(claims[0]?.filter);
        const places = [...claims.keys()].filter((at) => JSON.stringify(claims[at]?.filter) === filter);
        const alike = claims.filter((_, at) => places.includes(at));
        const found = await search(alike);
        const results = await Promise.all(alike.map((claim, nth) => run(claim, found[nth] ?? NOTHING_FOUND)));
        return new Map(results.map((items, nth) => [places[nth] ?? nth, items]));
      },
    },
    batching,
  );
}

/** What one search found for a worker. */
interface Search {
  /** The found rows. */
  readonly rows: readonly DueRow[];
  /** The found rows that the worker has claimed. */
  readonly claimed: readonly SqlRow[];
  /** Whether more rows may be due. */
  readonly hasMore: boolean;
}

const NOTHING_FOUND: Search = { rows: [], claimed: [], hasMore: false };

/** The primary key and the due time of a row. */
interface DueRow {
  readonly key: readonly string[];
  readonly due: number;
}

/** Creates the function that finds and claims due rows for workers that have the same filter. */
function searcher(
  sql: StoreClient,
  { table, key: columns, column, due, claim }: ClaimDueStatements,
  batching?: BatchOptions,
) {
  const claimRows = rowClaims(columns, claim);
  const claimByShard = batchedByShard(sql, table, { ...claimRows, distributionValueOf: firstKey }, batching);
  return async (claims: readonly DueClaim[], offset = 0): Promise<readonly Search[]> => {
    const latest = Math.max(...claims.map(({ now }) => now));
    const total = claims.reduce((sum, { limit }) => sum + limit, 0);
    const found = (await sql.query(due, [latest, total, offset, ...(claims[0]?.filter ?? [])])).map(
      (row) => ({
        key: columns.map((name) => text(row, name)),
        due: integer(row, column),
      }),
    );
    let given = 0;
    const shares = claims.map((one) => {
      const rows = found.slice(given, given + one.limit).filter((row) => row.due <= one.now);
      given += one.limit;
      return { rows, asked: rows.map(({ key }): RowClaim => ({ ...one, key })) };
    });
    const asked = shares.flatMap((share) => share.asked);
    const taken = (await sql.isDistributed())
      ? await Promise.all(asked.map(claimByShard))
      : asked.length === 0
        ? []
        : [...(await claimRows.runBatch(asked, sql)).values()];
    let first = 0;
    return shares.map(({ rows }) => {
      const claimed = taken.slice(first, (first += rows.length)).flat();
      return { rows, claimed, hasMore: found.length === total };
    });
  };
}

/** A row to claim. */
interface RowClaim extends Pick<DueClaim, "now" | "until" | "id"> {
  /** The values of the primary key, in the order of its columns. */
  readonly key: readonly string[];
}

function firstKey({ key: [first = ""] }: RowClaim): string {
  return first;
}

/** Creates the method that claims rows. The result of a call is the row, or no row. */
function rowClaims(columns: readonly string[], claim: SqlStatement) {
  const runBatch = async (claims: readonly RowClaim[], sql: SqlQueries) => {
    const asked = claims.map(({ key, now, until, id }) => ({
      ...Object.fromEntries(columns.map((name, index) => [name, key[index] ?? null])),
      now_ms: now,
      until_ms: until,
      claim: id ?? null,
    }));
    const values = [...batchInputValues(asked), arrayLiteral(claims.map(firstKey))];
    return rowsByIndex(claims, await sql.query(claim, values));
  };
  return {
    keyOf: ({ key }: RowClaim) => JSON.stringify(key),
    runOne: async (one: RowClaim, sql: SqlQueries) => (await runBatch([one], sql)).get(0) ?? [],
    runBatch,
  };
}
