import { integer, text } from "./row.js";
import type { RowReader } from "./row-reader.js";
import type { SqlClient, SqlStatement } from "./sql-client.js";
import { statement } from "./statement.js";

/** The rows of `table` that are `open` and due by `column`, which has an index. `key` is the primary key, all of it text. */
export interface DueParts {
  readonly verb: string;
  readonly table: string;
  readonly key: readonly string[];
  readonly column: string;
  readonly open: string;
  /** The select list of a claimed row `r`. */
  readonly columns: string;
}

/** The statements that claim due rows. */
export interface ClaimDueStatements {
  readonly key: readonly string[];
  readonly column: string;
  /** Instant, how many, how many to leave out: the keys of due rows and when they came due, longest due first. It locks nothing, so it may ask every node there is. */
  readonly due: SqlStatement;
  /** Keys as a JSON array, instant, the end of the lease. */
  readonly claim: SqlStatement;
}

/** The statements that claim due rows of one table. */
export function claimDueStatements({
  verb,
  table,
  key,
  column,
  open,
  columns,
}: DueParts): ClaimDueStatements {
  const names = key.join(", ");
  const types = key.map((name) => `${name} text`).join(", ");
  return {
    key,
    column,
    due: statement(
      `${verb}_due`,
      `select ${names}, ${column} from ${table} where ${open} and ${column} <= $1 order by ${column} limit $2 offset $3`,
    ),
    // That the row is still due is asked again once its lock is had: of any number of workers the first puts it off. The keys come in one order, because
    // workers that lock the same rows in different orders wait for each other until the server undoes one of them, a second later.
    claim: statement(
      `${verb}_claim_due`,
      `update ${table} r set ${column} = $3
       from (select * from json_to_recordset($1::text::json) as listed (${types}) order by ${names}) due (${key.map((name) => `due_${name}`).join(", ")})
       where ${key.map((name) => `${name} = due_${name}`).join(" and ")} and ${open} and ${column} <= $2
       returning ${columns}`,
    ),
  };
}

/** Reads the rows that were claimed. */
export interface DueReader<T> extends Pick<RowReader<T>, "all"> {
  /** The primary key of an item. */
  readonly keyOf: (item: T) => readonly string[];
}

/** How often a worker looks at most, where others are faster with all it finds. */
const LOOKS = 20;

/**
 * Claims up to `limit` due rows until `until`, longest due first, and fewer only when nothing else is due. Where others were faster it looks on further down
 * the queue, at random, so that workers who come at once do not meet again at its head.
 */
export async function claimDue<T>(
  sql: SqlClient,
  { key, column, due, claim }: ClaimDueStatements,
  { now, limit, until }: { readonly now: number; readonly limit: number; readonly until: number },
  { all, keyOf }: DueReader<T>,
): Promise<readonly T[]> {
  const claimed: { readonly item: T; readonly due: number }[] = [];
  let offset = 0;
  for (let look = 1; look <= LOOKS && claimed.length < limit; look += 1) {
    const found = await sql.query(due, [now, limit - claimed.length, offset]);
    if (found.length === 0) {
      if (offset === 0) break;
      // Past the end: at the head once more.
      offset = 0;
      continue;
    }
    const asked = found.map((row) => Object.fromEntries(key.map((name) => [name, text(row, name)])));
    const times = new Map(
      found.map((row) => [JSON.stringify(key.map((name) => text(row, name))), integer(row, column)]),
    );
    const rows = await sql.query(claim, [JSON.stringify(asked), now, until]);
    // A row that cannot be read keeps its lease, so that it does not stay at the head of the queue.
    for (const item of all(rows)) claimed.push({ item, due: times.get(JSON.stringify(keyOf(item))) ?? now });
    offset = rows.length < found.length ? 1 + Math.floor(Math.random() * look * limit) : 0;
  }
  return claimed.toSorted((a, b) => a.due - b.due).map(({ item }) => item);
}
