import { isError } from "@tillkit/core/errors";
import { text } from "./row.js";
import type { SqlRow } from "./sql-client.js";
import { UnreadableValue } from "./unreadable-value.js";
import type { TableName } from "./tables.js";

/**
 * A stored row that this version cannot read.
 *
 * For example, the row was changed by hand or written by another version.
 */
export interface UnreadableRow {
  readonly table: TableName;
  /** The values of the key columns. */
  readonly key: readonly string[];
  /** The problem with the row. It contains no value of the row. */
  readonly reason: string;
}

/** Receives each row that a list skips because it is unreadable. Must not throw. */
export type OnUnreadable = (row: UnreadableRow) => void;

/** Reads the rows of one table. */
export interface RowReader<T> {
  /**
   * Reads a single row.
   *
   * Throws an error that identifies an unreadable row, see {@link unreadableRowOf}.
   */
  readonly one: (row: SqlRow) => T;
  /**
   * Reads a list of rows.
   *
   * Skips and reports unreadable rows.
   */
  readonly all: (rows: readonly SqlRow[]) => readonly T[];
}

const known = new WeakMap<Error, UnreadableRow>();

/**
 * Returns the unreadable row that caused an error, or `undefined`.
 *
 * @param cause The `cause` of a `storage.misconfigured`.
 * @returns the table, the key and the problem of the row.
 * @example
 * ```ts
 * import { unreadableRowOf } from "@tillkit/postgres";
 *
 * const found = await ports.apps.find("app_1");
 * if (found.isErr()) console.error(unreadableRowOf(found.error.cause) ?? found.error.cause);
 * ```
 */
export function unreadableRowOf(cause: unknown): UnreadableRow | undefined {
  return isError(cause) ? known.get(cause) : undefined;
}

/**
 * Creates a reader of the rows of `table`.
 *
 * By default, the process emits a warning for each unreadable row of a list, once per row.
 * @param key The columns that identify a row.
 * @param read Throws if a column has an unexpected value.
 */
export function rowReader<T>(
  table: TableName,
  key: readonly string[],
  read: (row: SqlRow) => T,
  onUnreadable: OnUnreadable = warnOnce,
): RowReader<T> {
  const unreadable = (row: SqlRow, cause: unknown): UnreadableRow => ({
    table,
    key: key.map((column) => text(row, column)),
    // Other errors, such as those of `JSON.parse`, may quote the value.
    reason:
      cause instanceof UnreadableValue
        ? cause.message
        : "A value does not have the type or format that this version expects.",
  });
  return {
    one(row) {
      try {
        return read(row);
      } catch (cause) {
        const described = unreadable(row, cause);
        const error = new Error(`The row ${described.key.join(", ")} of ${table} cannot be read.`, { cause });
        known.set(error, described);
        throw error;
      }
    },
    all: (rows) =>
      rows.flatMap((row) => {
        try {
          return [read(row)];
        } catch (cause) {
          onUnreadable(unreadable(row, cause));
          return [];
        }
      }),
  };
}

const warned = new Set<string>();
/** The maximum number of rows that the process warns about. */
const WARNINGS = 1_000;

function warnOnce({ table, key, reason }: UnreadableRow): void {
  const row = `${table} ${JSON.stringify(key)}`;
  if (warned.has(row) || warned.size >= WARNINGS) return;
  warned.add(row);
  process.emitWarning("A stored row cannot be read, and the list omits it.", {
    type: "TillkitWarning",
    detail: `${row}: ${reason}`,
  });
}
