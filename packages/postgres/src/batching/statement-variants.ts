import { batchInputSql } from "./batch-input.js";
import type { SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";

/** One of the two variants of a statement: for a single call, or for a batch of calls. */
export interface StatementVariant {
  /** Returns SQL for the value of a call in `column`. */
  readonly value: (column: string) => string;
  /**
   * Returns SQL for the value in `column` of the call that concerns the row `alias`.
   *
   * The column `n` is the position of the call. `key` lists the columns that identify the row. For
   * parts of SQL that cannot refer to the call of a row, such as `on conflict` and `returning`.
   */
  readonly valueForRow: (column: string, alias: string, ...key: readonly string[]) => string;
  /** Returns the SQL condition that each of `columns` equals the value of the same name. */
  readonly isKey: (...columns: readonly string[]) => string;
  /**
   * The SQL that follows `asked as`. This CTE has one row per call: its position `n` and its
   * values.
   */
  readonly calls: string;
  /**
   * Returns a query with one row of `columns` per call, to insert or to join.
   *
   * `columns` is SQL over the values of a call. `orderBy` sorts the calls. `from` is `asked` if the
   * statement has a CTE of {@link StatementVariant.calls} with this name.
   */
  readonly eachCall: (columns: string, orderBy: string, from?: string) => string;
  /**
   * Returns a query that selects `columns` with the SQL `from` for each call.
   *
   * The column `n` is the position of the call.
   */
  readonly perCall: (columns: string, from: string) => string;
  /**
   * Like {@link StatementVariant.perCall}, and locks the row that it finds.
   *
   * A single call waits for the lock. A batch skips a locked row, because one call must not wait
   * for the transaction of another.
   */
  readonly lockPerCall: (columns: string, from: string) => string;
  /**
   * Returns the SQL condition that the row `alias` is the row that the CTE `held` has locked.
   *
   * A single call may have waited for its lock, and then changes the current row. A batch changes
   * only rows that did not change since the statement began.
   * `columns` are the key columns of the row.
   */
  readonly isHeld: (alias: string, ...columns: readonly string[]) => string;
  /** Returns the SQL condition that `columns` of the row `alias` equal the values of a call. */
  readonly isRow: (alias: string, ...columns: readonly string[]) => string;
  /**
   * Like {@link StatementVariant.calls}, with only those calls that may change their rows.
   *
   * A single call may change its rows, and waits for their locks when it does. A batch locks the
   * rows here. It leaves out a call if another transaction has locked one of its rows, or has
   * changed it since the statement began.
   */
  readonly freeCalls: (...rows: readonly CallRow[]) => string;
  /**
   * Returns an SQL condition that makes a single call run `cte` first, so that it locks in order.
   *
   * Always true for a batch of {@link StatementVariant.freeCalls}, which has already locked its
   * rows.
   */
  readonly runsAfter: (cte: string) => string;
  /** Returns `sql` for a single call, and an empty text for a batch. */
  readonly unlessBatch: (sql: string) => string;
  /** Returns `sql` for a batch, and an empty text for a single call. */
  readonly inBatch: (sql: string) => string;
}

/** A row that a call changes, or would change if the row existed. */
export interface CallRow {
  readonly table: string;
  /** The columns of the primary key. Each is a value of the call. */
  readonly key: readonly string[];
}

/** The two variants of a statement, created from one definition. */
export interface StatementVariants {
  /** Its placeholders are the values of `columns`, in their order. */
  readonly one: SqlStatement;
  /** Reads the calls from `$1`, see {@link batchInputSql}. */
  readonly many: SqlStatement;
  readonly columns: readonly string[];
}

/** The columns of a call, with their SQL types. */
export type CallColumns = Readonly<Record<string, "text" | "bigint" | "int">>;

/** Creates both variants of a statement. */
export function statementVariants(
  method: string,
  types: CallColumns,
  write: (form: StatementVariant) => string,
): StatementVariants {
  const columns = Object.keys(types);
  const asked = batchInputSql(columns.map((column) => `${column} ${types[column]}`).join(", "));
  const value = (column: string): string => `$${columns.indexOf(column) + 1}::${types[column]}`;
  return {
    columns,
    one: statement(method, write(singleForm(columns, value))),
    many: statement(`${method}_batched`, write(batchForm(asked))),
  };
}

function singleForm(columns: readonly string[], value: StatementVariant["value"]): StatementVariant {
  const named = columns.map((column) => `${value(column)} as ${column}`);
  const calls = `not materialized (select 0 as n, ${named.join(", ")})`;
  const isRow = isRowOf(value);
  return {
    value,
    valueForRow: (column) => (column === "n" ? "0" : value(column)),
    isKey: isKeyOf(value),
    calls,
    eachCall: (selected) => `values (${selected})`,
    perCall: (selected, from) => `select 0 as n, ${selected} ${from}`,
    lockPerCall: (selected, from) => `select 0 as n, ${selected} ${from} for update`,
    isHeld: isRow,
    isRow,
    freeCalls: () => calls,
    runsAfter: (cte) => `(select count(*) from ${cte}) >= 0`,
    unlessBatch: (sql) => sql,
    inBatch: () => "",
  };
}

function batchForm(asked: string): StatementVariant {
  const value = (column: string): string => `asked.${column}`;
  const isRow = isRowOf(value);
  const isKey = isKeyOf(value);
  return {
    value,
    valueForRow: (column, alias, ...key) =>
      `(select asked.${column} from ${asked} where ${isRow(alias, ...key)})`,
    isKey,
    calls: `materialized (select * from ${asked})`,
    eachCall: (selected, orderBy, from = asked) => `select ${selected} from ${from} order by ${orderBy}`,
    perCall: (selected, from) =>
      `select asked.n, found.* from ${asked} cross join lateral (select ${selected} ${from}) found`,
    lockPerCall: (selected, from) =>
      `select asked.n, found.* from ${asked}
       cross join lateral (select ctid, ${selected} ${from} limit 1 for update skip locked) found`,
    isHeld: (alias) => `${alias}.ctid = held.ctid`,
    isRow,
    freeCalls: (...rows) => {
      const locked = rows.map(
        ({ table, key }, nth) =>
          `left join lateral (
             select ctid from ${table} where ${isKey(...key)} limit 1 for update skip locked
           ) locked_${nth} on true`,
      );
      const unchanged = rows.map(
        ({ table, key }, nth) =>
          `(select ctid from ${table} where ${isKey(...key)}) is not distinct from locked_${nth}.ctid`,
      );
      return `materialized (
         select asked.* from ${asked} ${locked.join(" ")} where ${unchanged.join(" and ")}
       )`;
    },
    runsAfter: () => "true",
    unlessBatch: () => "",
    inBatch: (sql) => sql,
  };
}

function isKeyOf(value: StatementVariant["value"]): StatementVariant["isKey"] {
  return (...columns) => columns.map((column) => `${column} = ${value(column)}`).join(" and ");
}

function isRowOf(value: StatementVariant["value"]): StatementVariant["isRow"] {
  return (alias, ...columns) =>
    columns.map((column) => `${alias}.${column} = ${value(column)}`).join(" and ");
}
