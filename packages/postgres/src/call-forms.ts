import { batchInputSql, batchInputValues, rowsByIndex } from "./batch-input.js";
import type { BatchedMethod } from "./batched.js";
import type { SqlQueries, SqlRow, SqlStatement, SqlValue } from "./sql-client.js";
import { statement } from "./statement.js";

/** One of the two forms of a statement: for a single call, or for a batch of calls. */
export interface CallForm {
  /** Returns SQL for the value of a call in `column`. */
  readonly value: (column: string) => string;
  /** Returns the SQL condition that each of `columns` equals the value of the same name. */
  readonly isKey: (...columns: readonly string[]) => string;
  /**
   * Returns a query that selects `columns` for each call.
   *
   * `columns` is SQL over the values of a call. `orderBy` sorts the calls.
   */
  readonly eachCall: (columns: string, orderBy: string) => string;
  /**
   * Returns a query that selects `columns` with the SQL `from` for each call.
   *
   * The column `n` is the position of the call.
   */
  readonly perCall: (columns: string, from: string) => string;
  /**
   * Like {@link CallForm.perCall}, and locks the row that it finds.
   *
   * A single call waits for the lock. A batch skips a locked row, because one call must not wait
   * for the transaction of another.
   */
  readonly lockPerCall: (columns: string, from: string) => string;
  /**
   * Returns the SQL condition that the row `alias` is the one that `held` has locked.
   *
   * A single call may have waited for its lock, and then changes the current row. A batch changes
   * only rows that did not change since the statement began.
   * `columns` are the key columns of the row.
   */
  readonly isHeld: (alias: string, ...columns: readonly string[]) => string;
}

/** The two forms of a statement, created from one definition. */
export interface CallForms {
  /** Its placeholders are the values of `columns`, in their order. */
  readonly one: SqlStatement;
  /** Reads the calls from `$1`, see {@link batchInputSql}. */
  readonly many: SqlStatement;
  readonly columns: readonly string[];
}

/** The columns of a call, with their SQL types. */
export type CallColumns = Readonly<Record<string, "text" | "bigint" | "int">>;

/** Creates both forms of a statement. */
export function inBothForms(
  method: string,
  types: CallColumns,
  write: (form: CallForm) => string,
): CallForms {
  const columns = Object.keys(types);
  const asked = batchInputSql(columns.map((column) => `${column} ${types[column]}`).join(", "));
  const value = (column: string): string => `$${columns.indexOf(column) + 1}::${types[column]}`;
  return {
    columns,
    one: statement(method, write(formFor(value))),
    many: statement(
      `${method}_grouped`,
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

/** Returns the values of a call, by column name. */
type ValuesOf<A> = (call: A) => Readonly<Record<string, SqlValue>>;

/** Creates a batched method for a query. A call may have no rows. */
export function readRows<A>(
  sql: SqlQueries,
  { one, many, columns }: CallForms,
  valuesOf: ValuesOf<A>,
): Pick<BatchedMethod<A, readonly SqlRow[]>, "runOne" | "runBatch"> {
  return {
    runOne: (call) => {
      const values = valuesOf(call);
      return sql.query(
        one,
        columns.map((column) => values[column] ?? null),
      );
    },
    runBatch: async (calls) =>
      rowsByIndex(calls, await sql.query(many, batchInputValues(calls.map(valuesOf)))),
  };
}

/**
 * Like {@link readRows}, for a statement that locks rows.
 *
 * A call without a row in the batch runs again alone, and then waits for the lock.
 */
export function changeRows<A>(
  sql: SqlQueries,
  forms: CallForms,
  valuesOf: ValuesOf<A>,
): Pick<BatchedMethod<A, readonly SqlRow[]>, "runOne" | "runBatch"> {
  const { runOne, runBatch } = readRows(sql, forms, valuesOf);
  return {
    runOne,
    runBatch: async (calls) => new Map([...(await runBatch(calls))].filter(([, rows]) => rows.length > 0)),
  };
}

/**
 * Like {@link readRows}, for a statement without result rows.
 *
 * Every call of a batch succeeds when the statement has run.
 */
export function writeRows<A>(
  sql: SqlQueries,
  forms: CallForms,
  valuesOf: ValuesOf<A>,
): Pick<BatchedMethod<A, true>, "runOne" | "runBatch"> {
  const { runOne } = readRows(sql, forms, valuesOf);
  return {
    runOne: async (call) => {
      await runOne(call);
      return true;
    },
    runBatch: async (calls) => {
      await sql.query(forms.many, batchInputValues(calls.map(valuesOf)));
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
