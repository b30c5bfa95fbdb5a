import { integer, text } from "./row.js";
import type { RowReader } from "./row-reader.js";
import type { SqlRow, SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";
import type { StoreClient } from "./store-client.js";

/**
 * The due rows of a table.
 *
 * `open` is the SQL condition for unfinished rows. `column` holds the due time and has an index.
 * `key` is the primary key, and all its columns have the type text.
 */
export interface DueParts {
  readonly method: string;
  readonly table: string;
  readonly key: readonly string[];
  readonly column: string;
  readonly open: string;
  /** The select list of a claimed row `r`. */
  readonly columns: string;
  /** An SQL condition that selects rows, over the values of `Claim.filter` from `$4`. */
  readonly filter?: string;
  /** The column for the id of the claim, if the rows have one. */
  readonly claimColumn?: string;
}

/** The statements that claim due rows. */
export interface ClaimDueStatements {
  readonly key: readonly string[];
  readonly column: string;
  /**
   * Finds the keys and due times of due rows, longest due first.
   *
   * Placeholders: time, limit, offset, values of the filter. Takes no locks, so that a distributed
   * database can run it on every node.
   */
  readonly due: SqlStatement;
  /** Placeholders: keys as a JSON array, time, end of the lease, and the id of a claim. */
  readonly claim: SqlStatement;
  /**
   * Claims one row. A cluster runs it on the node of the row.
   *
   * Placeholders: time, end of the lease, key, and the id of a claim.
   */
  readonly claimOne: SqlStatement;
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
  const types = key.map((name) => `${name} text`).join(", ");
  const claimed = (place: number): string =>
    claimColumn === undefined ? "" : `, ${claimColumn} = $${place}`;
  return {
    key,
    column,
    due: statement(
      `${method}_due`,
      `select ${names}, ${column} from ${table} where ${open} and ${filter} and ${column} <= $1 order by ${column} limit $2 offset $3`,
    ),
    // The statement repeats the condition, because another worker may claim the row before it is
    // locked. It locks the keys in their order, so that two workers cannot deadlock.
    claim: statement(
      `${method}_claim_due`,
      `update ${table} r set ${column} = $3${claimed(4)}
       from (select * from json_to_recordset($1::text::json) as listed (${types}) order by ${names}) due (${key.map((name) => `due_${name}`).join(", ")})
       where ${key.map((name) => `${name} = due_${name}`).join(" and ")} and ${open} and ${column} <= $2
       returning ${columns}`,
    ),
    claimOne: statement(
      `${method}_claim_one`,
      `update ${table} r set ${column} = $2${claimed(key.length + 3)}
       where ${key.map((name, index) => `${name} = $${index + 3}`).join(" and ")} and ${open} and ${column} <= $1
       returning ${columns}`,
    ),
  };
}

/** Which rows to claim, and until when. */
export interface Claim {
  readonly now: number;
  readonly limit: number;
  readonly until: number;
  /** The values of `DueParts.filter`. */
  readonly filter?: readonly string[];
  /** Present if the rows have a column for it. */
  readonly id?: string;
}

/** Reads the claimed rows. */
export interface DueReader<T> extends Pick<RowReader<T>, "all"> {
  /** Returns the primary key of an item. */
  readonly keyOf: (item: T) => readonly string[];
}

/** The maximum number of attempts of one worker if other workers claim the same rows. */
const LOOKS = 20;

/**
 * Claims up to `limit` due rows until `until`, and returns them longest due first.
 *
 * Each row goes to one worker only. If other workers claim the found rows first, this worker
 * continues at a random offset of the queue. It returns fewer than `limit` rows if no other row is
 * due, or after 20 attempts.
 */
export async function claimDue<T>(
  sql: StoreClient,
  statements: ClaimDueStatements,
  wanted: Claim,
  { all, keyOf }: DueReader<T>,
): Promise<readonly T[]> {
  const { key, column, due } = statements;
  const { now, limit, filter = [] } = wanted;
  const claimed: { readonly item: T; readonly due: number }[] = [];
  let offset = 0;
  for (let look = 1; look <= LOOKS && claimed.length < limit; look += 1) {
    const found = await sql.query(due, [now, limit - claimed.length, offset, ...filter]);
    if (found.length === 0) {
      if (offset === 0) break;
      // The offset is past the end of the queue, so start at its head again.
      offset = 0;
      continue;
    }
    const asked = found.map((row) => Object.fromEntries(key.map((name) => [name, text(row, name)])));
    const times = new Map(
      found.map((row) => [JSON.stringify(key.map((name) => text(row, name))), integer(row, column)]),
    );
    const rows = await claimFound(sql, statements, asked, wanted);
    // An unreadable row keeps its lease, so that it does not block the head of the queue.
    for (const item of all(rows)) claimed.push({ item, due: times.get(JSON.stringify(keyOf(item))) ?? now });
    offset = rows.length < found.length ? 1 + Math.floor(Math.random() * look * limit) : 0;
  }
  return claimed.toSorted((a, b) => a.due - b.due).map(({ item }) => item);
}

/** Claims the rows with the keys `asked` that are still due. Returns the claimed rows. */
async function claimFound(
  sql: StoreClient,
  { key, claim, claimOne }: ClaimDueStatements,
  asked: readonly Readonly<Record<string, string>>[],
  { now, until, id }: Claim,
): Promise<readonly SqlRow[]> {
  const ids = id === undefined ? [] : [id];
  if (!(await sql.isDistributed())) return sql.query(claim, [JSON.stringify(asked), now, until, ...ids]);
  // On a cluster, a statement over several nodes waits for every other one.
  const rows: SqlRow[] = [];
  for (const one of asked) {
    const values = [now, until, ...key.map((name) => one[name] ?? null), ...ids];
    rows.push(...(await sql.query(claimOne, values)));
  }
  return rows;
}
