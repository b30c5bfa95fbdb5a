import { text } from "./row.js";
import type { SqlClient, SqlRow, SqlStatement } from "./sql-client.js";
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
  /** Instant, how many, how many to leave out: the keys of due rows, longest due first. It locks nothing, so it may ask every node there is. */
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
    due: statement(
      `${verb}_due`,
      `select ${names} from ${table} where ${open} and ${column} <= $1 order by ${column} limit $2 offset $3`,
    ),
    // That the row is still due is asked again once its lock is had: of any number of workers the first puts it off.
    claim: statement(
      `${verb}_claim_due`,
      `update ${table} r set ${column} = $3
       where (${names}) in (select ${names} from json_to_recordset($1::text::json) as due (${types}))
         and ${open} and ${column} <= $2
       returning ${columns}`,
    ),
  };
}

/** How often a worker looks for rows that nobody else was faster with, before it leaves them to the others. */
const LOOKS = 3;

/**
 * Claims up to `limit` due rows until `until`, longest due first. Whoever finds all of theirs taken looks further down the queue, at random, so that workers who
 * come at once do not meet again at its head; none when there is nothing due there, or others were faster each time.
 */
export async function claimDue<T>(
  sql: SqlClient,
  { key, due, claim }: ClaimDueStatements,
  { now, limit, until }: { readonly now: number; readonly limit: number; readonly until: number },
  toItem: (row: SqlRow) => { readonly item: T; readonly key: readonly string[] },
): Promise<readonly T[]> {
  for (let look = 0; look < LOOKS; look += 1) {
    const offset = Math.floor(Math.random() * look * LOOKS * limit);
    const keys = (await sql.query(due, [now, limit, offset])).map((row) =>
      key.map((name) => text(row, name)),
    );
    if (keys.length === 0) break;
    const asked = keys.map((values) => Object.fromEntries(key.map((name, at) => [name, values[at]])));
    const claimed = (await sql.query(claim, [JSON.stringify(asked), now, until])).map(toItem);
    const places = new Map(keys.map((values, place) => [JSON.stringify(values), place]));
    const placeOf = (values: readonly string[]): number => places.get(JSON.stringify(values)) ?? 0;
    if (claimed.length > 0)
      return claimed.toSorted((a, b) => placeOf(a.key) - placeOf(b.key)).map(({ item }) => item);
  }
  return [];
}
