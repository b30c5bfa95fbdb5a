import { integer } from "./row.js";
import type { SqlQueries, SqlRow, SqlStatement, SqlValue } from "./sql-client.js";
import { statement } from "./statement.js";

/** The maximum number of rows that one page of a list examines. */
export const EXAMINED_ROWS = 50_000;

/** What all forms of one list have in common. The alias of the table is `r`. */
export interface ListShape {
  readonly table: string;
  /** Whether a cluster distributes the table. Each node has a copy of other tables. */
  readonly isDistributed: boolean;
  /** The select list. It includes the columns of the position. */
  readonly columns: string;
  /**
   * The columns by which the list is sorted, all of them descending, with their lowest values.
   *
   * The first one is the time in milliseconds.
   */
  readonly position: ReadonlyMap<string, "''" | "0">;
  /** Returns the condition of the filter. Its placeholders begin with the number `first`. */
  readonly filter: (first: number) => string;
}

/**
 * The statements of one form of a list, which begins with a condition that an index serves.
 *
 * Placeholders of each: start of the time range, position of the exclusive end, values of the first
 * condition. `page` and `onCluster` also have the limit and the values of the filter.
 */
export interface BoundedList {
  /** Examines at most {@link EXAMINED_ROWS} rows. */
  readonly page: SqlStatement;
  /** Like `page` for a distributed table: each node examines all of its rows in the time range. */
  readonly onCluster?: SqlStatement;
  /** The last row that `page` examines. */
  readonly examined: SqlStatement;
  /** Counts up to the limit. Absent for a list that is not counted. */
  readonly count?: BoundedCount;
}

/** The statements that count the rows of a list. They have the placeholders of its page. */
export interface BoundedCount {
  readonly onServer: SqlStatement;
  readonly onCluster: SqlStatement;
}

/** The condition with which a list begins. */
export interface LeadingCondition {
  /** Returns the condition, which an index serves. Its placeholders begin with `first`. */
  readonly sql: (first: number) => string;
  /** The number of its placeholders. */
  readonly values: number;
}

/** Returns the condition that a column or an expression has one value. */
export function equalTo(expression: string): LeadingCondition {
  return { sql: (first) => `${expression} = $${first}`, values: 1 };
}

/** Creates the statements of one form of a list: with `isCounted`, also those that count rows. */
export function boundedList(
  { table, isDistributed, columns, position, filter }: ListShape,
  method: string,
  leading: LeadingCondition = { sql: () => "true", values: 0 },
  isCounted = false,
): BoundedList {
  const names = [...position.keys()].map((column) => `r.${column}`);
  const lowest = [...position.values()].slice(1).join(", ");
  const end = names.map((_, nth) => `$${nth + 2}`).join(", ");
  const first = names.length + 2;
  const limit = first + leading.values;
  // Compares rows, because the planner would expect few rows between two bounds of one column, and
  // would sort them.
  const examined = `${table} r where ${leading.sql(first)}
     and (${names.join(", ")}) >= ($1, ${lowest}) and (${names.join(", ")}) < (${end})`;
  const newestFirst = `order by ${names.map((name) => `${name} desc`).join(", ")}`;
  const onServer = `(select r.* from ${examined} ${newestFirst} limit ${EXAMINED_ROWS}) r
     where ${filter(limit + 1)}`;
  const onCluster = `${examined} and ${filter(limit + 1)}`;
  const page = (name: string, rows: string) =>
    statement(name, `select ${columns} from ${rows} ${newestFirst} limit $${limit}`);
  const count = (name: string, rows: string) =>
    statement(name, `select count(*) as found from (select 1 from ${rows} limit $${limit}) found`);
  return {
    page: page(method, onServer),
    ...(isDistributed ? { onCluster: page(`${method}_on_cluster`, onCluster) } : {}),
    ...(isCounted
      ? {
          count: {
            onServer: count(`${method}_count`, onServer),
            onCluster: count(`${method}_count_on_cluster`, onCluster),
          },
        }
      : {}),
    examined: statement(
      `${method}_examined`,
      `select ${columns} from ${examined} ${newestFirst} offset ${EXAMINED_ROWS - 1} limit 1`,
    ),
  };
}

/** One form of a list, and the values of its first condition. */
export interface ListPart {
  readonly list: BoundedList;
  readonly leading: readonly SqlValue[];
}

/** The sort values of a row: the time, then texts or numbers. */
export type ListPosition = readonly [number, ...(readonly (string | number)[])];

/** Selects a page that is merged from several parts. */
export interface PageQuery {
  readonly parts: readonly ListPart[];
  /** Start (inclusive) and end (exclusive) of the time range, epoch milliseconds. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** The position after which the page begins. Absent for the first page. */
  readonly before?: ListPosition | undefined;
  readonly limit: number;
  /** The values of the filter. */
  readonly filter: readonly SqlValue[];
  /** Whether the table is distributed over the nodes of a cluster. */
  readonly isDistributed: boolean;
}

/** Selects the rows that are counted. */
export interface CountQuery extends Pick<PageQuery, "filter" | "isDistributed"> {
  readonly part: ListPart;
}

/**
 * Reads a page of a list, newest first.
 *
 * Merges the rows of the parts, up to the position that the search has reached in every part. A row
 * that is in several parts occurs once.
 *
 * @returns the rows, and the position after which the next page begins, if there may be more.
 */
export async function readBoundedList(
  sql: SqlQueries,
  { position }: Pick<ListShape, "position">,
  query: PageQuery,
  positionOf: (row: SqlRow) => ListPosition,
): Promise<{ readonly rows: readonly SqlRow[]; readonly next?: ListPosition }> {
  const { parts, from = 0, until = Number.MAX_SAFE_INTEGER, before, limit, filter, isDistributed } = query;
  // Rows at `until` are not in the range: nothing is less than the lowest values.
  const end = before === undefined || until <= before[0] ? [until, ...lowestOf(position)] : before;
  const read = async ({ list, leading }: ListPart) => {
    const range = [from, ...end, ...leading];
    // One row more shows whether there is a next page.
    const asked = [...range, limit + 1, ...filter];
    const onCluster = isDistributed ? list.onCluster : undefined;
    const rows = await sql.query(onCluster ?? list.page, asked);
    const last = rows[limit - 1];
    if (rows.length > limit && last !== undefined) return { rows, examined: positionOf(last) };
    if (onCluster !== undefined) return { rows };
    const [examined] = await sql.query(list.examined, range);
    return { rows, ...(examined === undefined ? {} : { examined: positionOf(examined) }) };
  };
  const pages = await Promise.all(parts.map(read));
  const [bound] = pages
    .flatMap(({ examined }) => (examined === undefined ? [] : [examined]))
    .sort(newestFirst);
  const found = new Map(
    pages.flatMap(({ rows }) => rows.map((row) => [JSON.stringify(positionOf(row)), row] as const)),
  );
  const sorted = [...found.values()]
    .map((row) => ({ row, at: positionOf(row) }))
    .filter(({ at }) => bound === undefined || newestFirst(at, bound) <= 0)
    .sort((left, right) => newestFirst(left.at, right.at));
  const shown = sorted.slice(0, limit);
  const next = sorted.length > limit ? shown.at(-1)?.at : bound;
  return { rows: shown.map(({ row }) => row), ...(next === undefined ? {} : { next }) };
}

/** Counts the rows of a list of one part, up to `atMost`. */
export async function countBoundedList(
  sql: SqlQueries,
  { position }: Pick<ListShape, "position">,
  { part: { list, leading }, filter, isDistributed }: CountQuery,
  atMost: number,
): Promise<{ readonly count: number; readonly isLeast: boolean }> {
  if (list.count === undefined) throw new Error("This list is not counted.");
  const range = [0, Number.MAX_SAFE_INTEGER, ...lowestOf(position), ...leading];
  const counting = isDistributed ? list.count.onCluster : list.count.onServer;
  const [row] = await sql.query(counting, [...range, atMost + 1, ...filter]);
  const found = row === undefined ? 0 : integer(row, "found");
  if (found > atMost) return { count: atMost, isLeast: true };
  const isLeast = !isDistributed && (await sql.query(list.examined, range)).length > 0;
  return { count: found, isLeast };
}

/** Returns the lowest values of the columns after the time. */
function lowestOf(position: ListShape["position"]): readonly (string | number)[] {
  return [...position.values()].slice(1).map((value) => (value === "0" ? 0 : ""));
}

/** Compares positions, the newer one first. Texts by code point, as the database does. */
function newestFirst(left: ListPosition, right: ListPosition): number {
  for (const [nth, one] of left.entries()) {
    const other = right[nth];
    const order =
      typeof one === "number" && typeof other === "number"
        ? other - one
        : Buffer.compare(Buffer.from(String(other)), Buffer.from(String(one)));
    if (order !== 0) return order;
  }
  return 0;
}
