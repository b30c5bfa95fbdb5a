import { askedSql, askedValues, rowsByPlace } from "./asked.js";
import type { GroupedVerb } from "./grouped.js";
import type { SqlQueries, SqlRow, SqlStatement, SqlValue } from "./sql-client.js";
import { statement } from "./statement.js";

/** One of the two forms of a statement: for a single call, or for several calls at once. */
export interface CallForm {
  /** The value of a call in one of its columns, as SQL. */
  readonly value: (column: string) => string;
  /** The key of a call: each of `columns` equals the value of the same name. */
  readonly isKey: (...columns: readonly string[]) => string;
  /** A query that selects `columns`, SQL over the values of a call, in the order of the columns `orderBy`. */
  readonly eachCall: (columns: string, orderBy: string) => string;
  /** A query that selects `columns` with the SQL `from` for each call, with the number of the call in `n`. */
  readonly perCall: (columns: string, from: string) => string;
  /**
   * As `perCall`, and locks the row it finds. A single call waits for the lock. Several calls skip a locked
   * row, because one call must not wait for the transaction of another.
   */
  readonly lockPerCall: (columns: string, from: string) => string;
  /**
   * Whether the row `alias` is the one that `held` has locked, where `columns` are its key.
   *
   * A single call may have waited for its lock and then changes the row as it is now. Several calls
   * change only rows that are as they were when the statement began.
   */
  readonly isHeld: (alias: string, ...columns: readonly string[]) => string;
}

/** The two forms of a statement that were written from one definition. */
export interface CallForms {
  /** Its placeholders are the values of `columns`, in their order. */
  readonly one: SqlStatement;
  /** Reads the calls from `$1`, as {@link askedSql} does. */
  readonly many: SqlStatement;
  readonly columns: readonly string[];
}

/** The values of a call, with their types in SQL. */
export type CallColumns = Readonly<Record<string, "text" | "bigint" | "int">>;

/** Writes a statement in both forms. */
export function inBothForms(verb: string, types: CallColumns, write: (form: CallForm) => string): CallForms {
  const columns = Object.keys(types);
  const asked = askedSql(columns.map((column) => `${column} ${types[column]}`).join(", "));
  const value = (column: string): string => `$${columns.indexOf(column) + 1}::${types[column]}`;
  return {
    columns,
    one: statement(verb, write(formFor(value))),
    many: statement(
      `${verb}_grouped`,
      write({
        ...formFor((column) => `asked.${column}`),
        eachCall: (selected, orderBy) => `select ${selected} from ${asked} order by ${orderBy}`,
        perCall: (selected, from) =>
          `select asked.n, found.* from ${asked} cross join lateral (select ${selected} ${from}) found`,
        lockPerCall: (selected, from) =>
          `select asked.n, found.* from ${asked}
           cross join lateral (select ctid, ${selected} ${from} limit 1 for update skip locked) found`,
        isHeld: (alias) => `${alias}.ctid = held.ctid`,
      }),
    ),
  };
}

/** Gives the values of a call, by the names of its columns. */
type ValuesOf<A> = (call: A) => Readonly<Record<string, SqlValue>>;

/** Runs a query that reads: gives the rows of each call, which may be none. */
export function readRows<A>(
  sql: SqlQueries,
  { one, many, columns }: CallForms,
  valuesOf: ValuesOf<A>,
): Pick<GroupedVerb<A, readonly SqlRow[]>, "one" | "many"> {
  return {
    one: (call) => {
      const values = valuesOf(call);
      return sql.query(
        one,
        columns.map((column) => values[column] ?? null),
      );
    },
    many: async (calls) => rowsByPlace(calls, await sql.query(many, askedValues(calls.map(valuesOf)))),
  };
}

/** As `readRows`, for a statement that locks: a call without a row runs again alone, where it waits. */
export function changeRows<A>(
  sql: SqlQueries,
  forms: CallForms,
  valuesOf: ValuesOf<A>,
): Pick<GroupedVerb<A, readonly SqlRow[]>, "one" | "many"> {
  const { one, many } = readRows(sql, forms, valuesOf);
  return {
    one,
    many: async (calls) => new Map([...(await many(calls))].filter(([, rows]) => rows.length > 0)),
  };
}

/** As `readRows`, for a statement that gives no rows: each call is answered once the statement has run. */
export function writeRows<A>(
  sql: SqlQueries,
  forms: CallForms,
  valuesOf: ValuesOf<A>,
): Pick<GroupedVerb<A, true>, "one" | "many"> {
  const { one } = readRows(sql, forms, valuesOf);
  return {
    one: async (call) => {
      await one(call);
      return true;
    },
    many: async (calls) => {
      await sql.query(forms.many, askedValues(calls.map(valuesOf)));
      return new Map(calls.map((_, place) => [place, true]));
    },
  };
}

function formFor(value: CallForm["value"]): CallForm {
  return {
    value,
    isKey: (...columns) => columns.map((column) => `${column} = ${value(column)}`).join(" and "),
    eachCall: (selected) => `select ${selected}`,
    perCall: (selected, from) => `select 0 as n, ${selected} ${from}`,
    lockPerCall: (selected, from) => `select 0 as n, ${selected} ${from} for update`,
    isHeld: (alias, ...columns) =>
      columns.map((column) => `${alias}.${column} = ${value(column)}`).join(" and "),
  };
}
